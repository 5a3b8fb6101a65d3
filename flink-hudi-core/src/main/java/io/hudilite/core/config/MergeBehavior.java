package io.hudilite.core.config;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How the versions of a row become one, as all keys of the table config together say it: merge
 * mode, payload class, partial update mode, delete marker. Source: Hudi 1.1 HoodieTableConfig
 * (inferMergingConfigsForV9TableCreation) and the payload classes of Hudi 1.0.2.
 *
 * @param order which version counts
 * @param fill what the version that counts takes from the other
 * @param unavailableValue the text that stands for "not sent"; {@code ""} unless {@code fill} is
 *     UNAVAILABLE
 * @param orderingFields compared one after the other; empty for {@link Order#COMMIT_TIME}
 * @param customClass name of the class that decides, for {@link Order#CUSTOM}; else {@code ""}
 * @param deleteField column that tells of deletes; {@code ""} if there is none
 * @param deleteMarker the text in {@code deleteField} that makes a row a delete
 */
public record MergeBehavior(
    Order order,
    Fill fill,
    String unavailableValue,
    List<String> orderingFields,
    String customClass,
    String deleteField,
    String deleteMarker) {

  /** Which of two versions counts. */
  public enum Order {
    /** The later one. */
    COMMIT_TIME,
    /** The one with the greater ordering value; of equal ones the later. */
    EVENT_TIME,
    /** The one with the greater ordering value; of equal ones the earlier. */
    EVENT_TIME_FIRST,
    /** What a class says. */
    CUSTOM
  }

  /** Which columns of the version that counts are taken from the other one. */
  public enum Fill {
    NOTHING,
    /** Those that are null. */
    NULLS,
    /** Those that have the default of their column, which is null unless the table says another. */
    DEFAULTS,
    /** Those whose text is the one that stands for "not sent". */
    UNAVAILABLE
  }

  private static final String DELETE_FIELD = "hoodie.payload.delete.field";
  private static final String DELETE_MARKER = "hoodie.payload.delete.marker";
  private static final String UNAVAILABLE_VALUE = "hoodie.write.partial.update.unavailable.value";
  private static final String DEBEZIUM_UNAVAILABLE = "__debezium_unavailable_value";
  private static final String OF_TABLE = "hoodie.record.merge.property.";

  public MergeBehavior {
    requireNonNull(order, "order");
    requireNonNull(fill, "fill");
    requireNonNull(unavailableValue, "unavailableValue");
    orderingFields = List.copyOf(orderingFields);
    requireNonNull(customClass, "customClass");
    requireNonNull(deleteField, "deleteField");
    requireNonNull(deleteMarker, "deleteMarker");
  }

  /** Whether ordering values matter. */
  public boolean usesOrdering() {
    return !orderingFields.isEmpty();
  }

  /** Whether a row may be made of several versions, so that none of them tells all of it. */
  public boolean combinesVersions() {
    return fill != Fill.NOTHING || order == Order.CUSTOM;
  }

  static MergeBehavior of(TableConfig config) {
    Map<String, String> properties = config.properties();
    String payload = properties.getOrDefault(TableConfig.PAYLOAD_CLASS, "");
    MergeBehavior known =
        switch (config.mergeMode()) {
          case COMMIT_TIME_ORDERING -> plain(Order.COMMIT_TIME, List.of());
          case EVENT_TIME_ORDERING -> plain(Order.EVENT_TIME, config.orderingFields());
          case CUSTOM -> ofPayload(payload, config.orderingFields());
        };
    Fill fill =
        config.partialUpdateMode().map(mode -> fillOf(mode, config.tableName())).orElse(known.fill);
    return new MergeBehavior(
        known.order,
        fill,
        fill == Fill.UNAVAILABLE
            ? property(properties, UNAVAILABLE_VALUE).orElse(DEBEZIUM_UNAVAILABLE)
            : "",
        known.orderingFields,
        known.customClass,
        property(properties, DELETE_FIELD).orElse(known.deleteField),
        property(properties, DELETE_MARKER).orElse(known.deleteMarker));
  }

  private static MergeBehavior plain(Order order, List<String> orderingFields) {
    return new MergeBehavior(order, Fill.NOTHING, "", orderingFields, "", "", "");
  }

  /** In version 8 all classes but the two of the merge modes stand under mode CUSTOM. */
  private static MergeBehavior ofPayload(String className, List<String> orderingFields) {
    return switch (className.substring(className.lastIndexOf('.') + 1)) {
      case "DefaultHoodieRecordPayload", "EventTimeAvroPayload" ->
          plain(Order.EVENT_TIME, orderingFields);
      case "OverwriteWithLatestAvroPayload", "HoodieAvroPayload" ->
          plain(Order.COMMIT_TIME, List.of());
      case "FirstValueAvroPayload" -> plain(Order.EVENT_TIME_FIRST, orderingFields);
      case "PartialUpdateAvroPayload" ->
          new MergeBehavior(Order.EVENT_TIME, Fill.NULLS, "", orderingFields, "", "", "");
      case "OverwriteNonDefaultsWithLatestAvroPayload" ->
          new MergeBehavior(Order.COMMIT_TIME, Fill.DEFAULTS, "", List.of(), "", "", "");
      case "AWSDmsAvroPayload" ->
          new MergeBehavior(Order.COMMIT_TIME, Fill.NOTHING, "", List.of(), "", "Op", "D");
      case "PostgresDebeziumAvroPayload" ->
          new MergeBehavior(
              Order.EVENT_TIME,
              Fill.UNAVAILABLE,
              DEBEZIUM_UNAVAILABLE,
              List.of("_event_lsn"),
              "",
              "_change_operation_type",
              "d");
      default ->
          new MergeBehavior(Order.CUSTOM, Fill.NOTHING, "", orderingFields, className, "", "");
    };
  }

  private static Fill fillOf(String mode, String tableName) {
    return switch (mode) {
      case "NONE", "KEEP_VALUES" -> Fill.NOTHING;
      case "IGNORE_DEFAULTS" -> Fill.DEFAULTS;
      case "FILL_UNAVAILABLE" -> Fill.UNAVAILABLE;
      default ->
          throw new HudiTableException(
              ("The table '%s' cannot be read here: '%s'='%s' is not known, only IGNORE_DEFAULTS"
                      + " and FILL_UNAVAILABLE are. Read it with Hudi 1.1 or newer.")
                  .formatted(tableName, TableConfig.PARTIAL_UPDATE_MODE, mode));
    };
  }

  private static Optional<String> property(Map<String, String> properties, String key) {
    return Optional.ofNullable(properties.getOrDefault(OF_TABLE + key, properties.get(key)))
        .filter(text -> !text.isBlank());
  }
}
