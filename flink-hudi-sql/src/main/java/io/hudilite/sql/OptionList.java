package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.BOTH;

import io.hudilite.sql.KnownOption.Concerns;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;

/** Collects options and their verdicts: the words that the lists of verdicts are written in. */
final class OptionList {
  private final List<KnownOption> options = new ArrayList<>();
  private final List<ConfigOption<?>> configOptions = new ArrayList<>();

  List<KnownOption> options() {
    return Collections.unmodifiableList(options);
  }

  /** Those of them that jobs look at. */
  List<ConfigOption<?>> configOptions() {
    return Collections.unmodifiableList(configOptions);
  }

  void used(ConfigOption<?> option, Concerns concerns, Values values) {
    add(option, Verdict.USED, concerns, values, List.of(), "");
  }

  void add(
      ConfigOption<?> option,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    List<String> others = new ArrayList<>();
    for (FallbackKey fallback : option.fallbackKeys()) {
      others.add(fallback.getKey());
    }
    configOptions.add(option);
    options.add(new KnownOption(option.key(), others, verdict, values, harmless, concerns, note));
  }

  void noEffect(String key, Values values, String why) {
    add(key, Verdict.NO_EFFECT, BOTH, values, List.of(), why);
  }

  void notYet(String key, Values values, List<String> harmless, String note) {
    notYet(new String[] {key}, values, harmless, note);
  }

  void notYet(String[] keys, Values values, List<String> harmless, String note) {
    add(keys, Verdict.NOT_YET, BOTH, values, harmless, note);
  }

  void refused(
      String key, Concerns concerns, Values values, List<String> harmless, String possible) {
    refused(new String[] {key}, concerns, values, harmless, possible);
  }

  void refused(
      String[] keys, Concerns concerns, Values values, List<String> harmless, String possible) {
    add(keys, Verdict.REFUSED, concerns, values, harmless, possible);
  }

  void add(
      String key,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    add(new String[] {key}, verdict, concerns, values, harmless, note);
  }

  private void add(
      String[] keys,
      Verdict verdict,
      Concerns concerns,
      Values values,
      List<String> harmless,
      String note) {
    List<String> all = List.of(keys);
    options.add(
        new KnownOption(
            all.get(0), all.subList(1, all.size()), verdict, values, harmless, concerns, note));
  }
}
