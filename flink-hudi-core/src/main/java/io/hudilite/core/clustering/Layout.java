package io.hudilite.core.clustering;

import io.hudilite.core.config.HudiTableException;
import java.util.Arrays;
import java.util.Locale;

/**
 * How rows are ordered by several columns, by the words of {@code hoodie.layout.optimize.strategy}.
 */
public enum Layout {
  /** By the first column, then by the second, and so on. */
  LINEAR("linear"),
  /** Along a curve that changes between the columns bit by bit, so that all of them count alike. */
  Z_ORDER("z-order"),
  /** Along Hilbert's curve, which has no jumps: neighbours on it are neighbours in each column. */
  HILBERT("hilbert");

  private final String word;

  Layout(String word) {
    this.word = word;
  }

  /** Hudi's word for it. */
  public String word() {
    return word;
  }

  /**
   * The layout of a word in the options.
   *
   * @throws HudiTableException if there is no such word; letter case does not matter
   */
  public static Layout of(String word) {
    String wanted = word.trim().toLowerCase(Locale.ROOT).replace("zorder", "z-order");
    return Arrays.stream(values())
        .filter(layout -> layout.word.equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new HudiTableException(
                    "'hoodie.layout.optimize.strategy' is '%s'; set it to one of %s"
                        .formatted(word, Arrays.stream(values()).map(Layout::word).toList())));
  }
}
