package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * How many buckets each partition has: that of the first rule whose expression is found in the
 * partition path, or the number for all others. Immutable; safe for use by several threads. Source:
 * RegexRuleEngine of Hudi 1.1.
 *
 * @param others buckets of a partition that no rule matches, 1 or more
 * @param expressions {@code regex,count;regex,count}; empty if all partitions are alike
 */
public record BucketCounts(int others, String expressions) implements Serializable {

  private record Rule(Pattern pattern, int buckets) {}

  public BucketCounts {
    requireNonNull(expressions, "expressions");
    if (others < 1) {
      throw new HudiTableException(
          "'hoodie.bucket.index.num.buckets' is %d; set it to 1 or more.".formatted(others));
    }
    rules(expressions);
  }

  /** The same number for all partitions. */
  public static BucketCounts of(int buckets) {
    return new BucketCounts(buckets, "");
  }

  /** Whether all partitions have the same number. */
  public boolean isUniform() {
    return expressions.isBlank();
  }

  /** The buckets of a partition. Not for each row: the expressions are read anew. */
  public int of(String partitionPath) {
    for (Rule rule : rules(expressions)) {
      if (rule.pattern.matcher(partitionPath).find()) {
        return rule.buckets;
      }
    }
    return others;
  }

  private static List<Rule> rules(String expressions) {
    List<Rule> rules = new ArrayList<>();
    for (String text : expressions.split(";", -1)) {
      if (text.isBlank()) {
        continue;
      }
      int comma = text.lastIndexOf(',');
      String number = text.substring(comma + 1).trim();
      if (comma < 1 || comma != text.indexOf(',') || !number.matches("[1-9]\\d{0,8}")) {
        throw wrong(expressions, "'%s' is no expression with a number behind it".formatted(text));
      }
      try {
        rules.add(
            new Rule(Pattern.compile(text.substring(0, comma).trim()), Integer.parseInt(number)));
      } catch (PatternSyntaxException e) {
        throw wrong(expressions, e.getDescription() + " in '" + e.getPattern() + "'");
      }
    }
    return rules;
  }

  private static HudiTableException wrong(String expressions, String why) {
    return new HudiTableException(
        "'hoodie.bucket.index.partition.expressions' is '%s', of which %s. Set it to 'regex,count;regex,count', for example 'dt=2026-.*,16;.*,4'."
            .formatted(expressions, why));
  }

  @Override
  public String toString() {
    return isUniform() ? Integer.toString(others) : expressions + "; else " + others;
  }
}
