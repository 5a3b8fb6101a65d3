package io.hudilite.core.config;

import java.util.Optional;
import java.util.Set;

/**
 * The three keys by which a table of version 8 says how rows are merged. Readers refuse a table
 * whose keys disagree, so they are always written together. Source: Hudi 1.0.2
 * HoodieTableConfig.inferCorrectMergingBehavior.
 */
enum MergeRule {
  COMMIT_TIME(
      MergeMode.COMMIT_TIME_ORDERING,
      "ce9acb64-bde0-424c-9b91-f6ebba25356d",
      "OverwriteWithLatestAvroPayload"),
  EVENT_TIME(
      MergeMode.EVENT_TIME_ORDERING,
      "eeb8d96f-b1e4-49fd-bbf8-28ac514178e5",
      "DefaultHoodieRecordPayload");

  private static final String PACKAGE = "org.apache.hudi.common.model.";

  /** Strategy of tables whose payload class decides, under mode CUSTOM. */
  static final String PAYLOAD_BASED = "00000000-0000-0000-0000-000000000000";

  /** The other classes of Hudi whose rules are known here. */
  private static final Set<String> OTHER_PAYLOADS =
      Set.of(
          "FirstValueAvroPayload",
          "PartialUpdateAvroPayload",
          "OverwriteNonDefaultsWithLatestAvroPayload",
          "AWSDmsAvroPayload",
          "PostgresDebeziumAvroPayload");

  private final MergeMode mode;
  private final String strategyId;
  private final String payloadClass;

  MergeRule(MergeMode mode, String strategyId, String payloadClass) {
    this.mode = mode;
    this.strategyId = strategyId;
    this.payloadClass = payloadClass;
  }

  MergeMode mode() {
    return mode;
  }

  String strategyId() {
    return strategyId;
  }

  String payloadClass() {
    return PACKAGE + payloadClass;
  }

  /** Empty for CUSTOM, which no rule here stands for. */
  static Optional<MergeRule> ofMode(MergeMode mode) {
    return switch (mode) {
      case COMMIT_TIME_ORDERING -> Optional.of(COMMIT_TIME);
      case EVENT_TIME_ORDERING -> Optional.of(EVENT_TIME);
      case CUSTOM -> Optional.empty();
    };
  }

  /** The rule that a payload class means, given with or without its package. */
  static Optional<MergeRule> ofPayloadClass(String name) {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    // What Hudi's Flink options name by default; it orders as the default payload does.
    if (simple.equals("EventTimeAvroPayload") || simple.equals(EVENT_TIME.payloadClass)) {
      return Optional.of(EVENT_TIME);
    }
    return simple.equals(COMMIT_TIME.payloadClass) ? Optional.of(COMMIT_TIME) : Optional.empty();
  }

  /**
   * The whole name of a payload class that stands under mode CUSTOM: of Hudi's, or any other that
   * is given with its package. Empty if it is a short name that nobody knows.
   */
  static Optional<String> customClass(String name) {
    String simple = name.substring(name.lastIndexOf('.') + 1);
    if (OTHER_PAYLOADS.contains(simple) && (simple.equals(name) || name.equals(PACKAGE + simple))) {
      return Optional.of(PACKAGE + simple);
    }
    return name.contains(".") ? Optional.of(name) : Optional.empty();
  }
}
