package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Hudi has four options that say which of two versions of a row counts. They must agree. Source of
 * the names: Hudi 1.0.2 HoodieTableConfig.inferCorrectMergingBehavior.
 */
final class MergeRule {
  private static final Map<String, MergeMode> PAYLOADS =
      Map.of(
          "EventTimeAvroPayload", MergeMode.EVENT_TIME_ORDERING,
          "DefaultHoodieRecordPayload", MergeMode.EVENT_TIME_ORDERING,
          "OverwriteWithLatestAvroPayload", MergeMode.COMMIT_TIME_ORDERING);
  private static final Map<String, MergeMode> MERGERS =
      Map.of(
          "EventTimeFlinkRecordMerger", MergeMode.EVENT_TIME_ORDERING,
          "CommitTimeFlinkRecordMerger", MergeMode.COMMIT_TIME_ORDERING);
  private static final Map<String, MergeMode> STRATEGIES =
      Map.of(
          "eeb8d96f-b1e4-49fd-bbf8-28ac514178e5", MergeMode.EVENT_TIME_ORDERING,
          "ce9acb64-bde0-424c-9b91-f6ebba25356d", MergeMode.COMMIT_TIME_ORDERING);

  /** Classes that stand under mode CUSTOM, and whose rules are known here. */
  private static final List<String> CUSTOM_PAYLOADS =
      List.of(
          "AWSDmsAvroPayload",
          "FirstValueAvroPayload",
          "OverwriteNonDefaultsWithLatestAvroPayload",
          "PartialUpdateAvroPayload",
          "PostgresDebeziumAvroPayload");

  /** Strategy of tables whose payload class decides. */
  private static final String PAYLOAD_BASED = "00000000-0000-0000-0000-000000000000";

  private record Asked(String option, String value, MergeMode mode) {}

  /**
   * What the options ask for.
   *
   * @param className for CUSTOM: the class that decides, as it was given
   */
  record Chosen(MergeMode mode, Optional<String> className) {}

  private MergeRule() {}

  /**
   * What the options ask for; empty if none of them was given.
   *
   * @throws HudiTableException if one asks for a rule that is not known, or two do not agree
   */
  static Optional<Chosen> of(EffectiveOptions options) {
    Optional<String> className =
        options.given(TableOptions.PAYLOAD_CLASS).filter(MergeRule::isCode);
    for (String merger : options.givenNames(TableOptions.RECORD_MERGER_IMPLS)) {
      if (isCode(merger)) {
        if (className.isPresent() && !className.get().equals(merger)) {
          throw new HudiTableException(
              "The options of table %s contradict each other: '%s'='%s', but '%s'='%s'. Keep one of them."
                  .formatted(
                      options.table(),
                      TableOptions.PAYLOAD_CLASS.key(),
                      className.get(),
                      TableOptions.RECORD_MERGER_IMPLS.key(),
                      merger));
        }
        className = Optional.of(merger);
      }
    }
    Optional<MergeMode> mode = mode(options);
    if (mode.equals(Optional.of(MergeMode.CUSTOM)) && className.isEmpty()) {
      throw new HudiTableException(
          "Table %s: '%s' is CUSTOM, but no class is named. Set '%s' to %s, or to a class of yours."
              .formatted(
                  options.table(),
                  TableOptions.MERGE_MODE.key(),
                  TableOptions.PAYLOAD_CLASS.key(),
                  String.join(", ", CUSTOM_PAYLOADS)));
    }
    Optional<String> chosen = className;
    return mode.map(is -> new Chosen(is, is == MergeMode.CUSTOM ? chosen : Optional.empty()));
  }

  /** Whether a class stands under mode CUSTOM: one of Hudi's that does, or one of the user. */
  private static boolean isCode(String className) {
    String simple = className.trim().substring(className.trim().lastIndexOf('.') + 1);
    boolean isHudis = !className.contains(".") || className.trim().startsWith("org.apache.hudi.");
    return isHudis ? CUSTOM_PAYLOADS.contains(simple) : true;
  }

  private static Optional<MergeMode> mode(EffectiveOptions options) {
    List<Asked> asked = new ArrayList<>();
    options
        .given(TableOptions.MERGE_MODE)
        .ifPresent(
            value ->
                asked.add(
                    new Asked(
                        TableOptions.MERGE_MODE.key(),
                        value,
                        MergeMode.valueOf(value.toUpperCase(Locale.ROOT)))));
    options
        .given(TableOptions.PAYLOAD_CLASS)
        .ifPresent(
            value -> asked.add(named(options, TableOptions.PAYLOAD_CLASS.key(), value, PAYLOADS)));
    for (String merger : options.givenNames(TableOptions.RECORD_MERGER_IMPLS)) {
      asked.add(named(options, TableOptions.RECORD_MERGER_IMPLS.key(), merger, MERGERS));
    }
    options
        .given(TableOptions.RECORD_MERGER_STRATEGY)
        .ifPresent(
            value ->
                asked.add(
                    named(options, TableOptions.RECORD_MERGER_STRATEGY.key(), value, STRATEGIES)));
    for (Asked one : asked) {
      if (one.mode() != asked.get(0).mode()) {
        throw new HudiTableException(
            "The options of table %s contradict each other: '%s'='%s' means %s, but '%s'='%s' means %s. Keep one of them."
                .formatted(
                    options.table(),
                    asked.get(0).option(),
                    asked.get(0).value(),
                    asked.get(0).mode(),
                    one.option(),
                    one.value(),
                    one.mode()));
      }
    }
    return asked.stream().map(Asked::mode).findFirst();
  }

  private static Asked named(
      EffectiveOptions options, String option, String value, Map<String, MergeMode> known) {
    if (isCode(value) || value.trim().equals(PAYLOAD_BASED)) {
      return new Asked(option, value, MergeMode.CUSTOM);
    }
    String simpleName = value.trim().substring(value.trim().lastIndexOf('.') + 1);
    return known.entrySet().stream()
        .filter(entry -> entry.getKey().equalsIgnoreCase(simpleName))
        .findFirst()
        .map(entry -> new Asked(option, value, entry.getValue()))
        .orElseThrow(
            () ->
                notBuiltIn(
                    options,
                    option,
                    value,
                    " Known here are "
                        + String.join(", ", known.keySet().stream().sorted().toList())
                        + (known == PAYLOADS ? ", " + String.join(", ", CUSTOM_PAYLOADS) : "")
                        + ", and whole names of classes of yours."));
  }

  private static HudiTableException notBuiltIn(
      EffectiveOptions options, String option, String value, String known) {
    return new HudiTableException(
        "Table %s: '%s'='%s' is not possible in this version, which merges by EVENT_TIME_ORDERING (the greater value of 'ordering.fields' wins) or COMMIT_TIME_ORDERING (the later row wins).%s"
            .formatted(options.table(), option, value, known));
  }
}
