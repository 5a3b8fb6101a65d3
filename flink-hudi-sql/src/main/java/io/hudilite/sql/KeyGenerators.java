package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.KeyGeneratorType;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.TimePartition;
import io.hudilite.core.schema.StoredTypes;
import io.hudilite.core.schema.Timestamps;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Works out how a table's keys and partition paths are made, from the options that Hudi has for it.
 * Used once, by the planning thread.
 */
final class KeyGenerators {
  private static final List<ConfigOption<String>> TIME_OPTIONS =
      List.of(
          TableOptions.TIME_TYPE,
          TableOptions.TIME_UNIT,
          TableOptions.TIME_INPUT_FORMAT,
          TableOptions.TIME_INPUT_DELIMITER,
          TableOptions.TIME_INPUT_ZONE,
          TableOptions.TIME_OUTPUT_FORMAT,
          TableOptions.TIME_OUTPUT_ZONE,
          TableOptions.TIME_ZONE);

  private final EffectiveOptions options;
  private final RowType rowType;
  private final List<String> key;
  private final List<String> partition;
  private final Optional<TableConfig> stored;

  KeyGenerators(
      EffectiveOptions options,
      RowType rowType,
      List<String> key,
      List<String> partition,
      Optional<TableConfig> stored) {
    this.options = requireNonNull(options, "options");
    this.rowType = requireNonNull(rowType, "rowType");
    this.key = List.copyOf(key);
    this.partition = List.copyOf(partition);
    this.stored = requireNonNull(stored, "stored");
  }

  /** The columns that option names, without the kinds that may stand behind them. */
  static List<String> partitionColumns(EffectiveOptions options) {
    return options.givenNames(TableOptions.PARTITION_PATH_FIELD).stream()
        .map(KeyGenerators::withoutKind)
        .toList();
  }

  private static String withoutKind(String name) {
    int colon = name.lastIndexOf(':');
    return colon < 0 ? name : name.substring(0, colon).trim();
  }

  /** The columns of the option that stand with their kinds, kinds in lower case. */
  private List<String> kinds() {
    return options.givenNames(TableOptions.PARTITION_PATH_FIELD).stream()
        .filter(name -> name.indexOf(':') >= 0)
        .map(
            name ->
                withoutKind(name)
                    + ":"
                    + name.substring(name.lastIndexOf(':') + 1).trim().toLowerCase(Locale.ROOT))
        .toList();
  }

  /**
   * Adds the properties of the table that are asked for.
   *
   * @throws HudiTableException if two options contradict each other, or do not fit the columns
   */
  void addTo(Map<String, String> asked) {
    Optional<KeyGeneratorType> generator = asked();
    List<String> kinds = kinds();
    if (!kinds.isEmpty()) {
      requireKinds(kinds);
      if (generator.filter(is -> is != KeyGeneratorType.CUSTOM).isPresent()) {
        throw new HudiTableException(
            "Table %s: '%s'='%s' names kinds of columns, which only the key generator CUSTOM has, but %s is asked for. Leave one of them out."
                .formatted(
                    options.table(),
                    TableOptions.PARTITION_PATH_FIELD.key(),
                    options.get(TableOptions.PARTITION_PATH_FIELD),
                    generator.get()));
      }
      generator = Optional.of(KeyGeneratorType.CUSTOM);
      asked.put(TableConfig.PARTITION_FIELDS, String.join(",", kinds));
    } else if (generator.equals(Optional.of(KeyGeneratorType.CUSTOM)) && stored.isEmpty()) {
      throw new HudiTableException(
          "Table %s: the key generator CUSTOM needs the kinds of the partition columns. Set '%s', for example to '%s'."
              .formatted(
                  options.table(),
                  TableOptions.PARTITION_PATH_FIELD.key(),
                  partition.isEmpty() ? "region:simple" : partition.get(0) + ":simple"));
    }
    boolean hasTimes =
        generator.equals(Optional.of(KeyGeneratorType.TIMESTAMP))
            || kinds.stream().anyMatch(kind -> kind.endsWith(":timestamp"));
    if (generator.isEmpty() && asksForTimes()) {
      if (stored.isEmpty()) {
        generator = Optional.of(KeyGeneratorType.TIMESTAMP);
      }
      hasTimes = true;
    }
    if (hasTimes) {
      addTimes(kinds, asked);
    }
    generator.ifPresent(is -> asked.put(TableConfig.KEY_GENERATOR_TYPE, is.name()));
  }

  private boolean asksForTimes() {
    return format().isPresent()
        || TIME_OPTIONS.stream().anyMatch(option -> options.given(option).isPresent());
  }

  private Optional<String> format() {
    Optional<String> flinks =
        options.given(TableOptions.PARTITION_FORMAT).filter(text -> !text.isBlank());
    Optional<String> hudis = options.given(TableOptions.TIME_OUTPUT_FORMAT);
    if (flinks.isPresent() && hudis.isPresent() && !flinks.equals(hudis)) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' and '%s'='%s' are two names of one thing, with different values. Keep one."
              .formatted(
                  options.table(),
                  TableOptions.PARTITION_FORMAT.key(),
                  flinks.get(),
                  TableOptions.TIME_OUTPUT_FORMAT.key(),
                  hudis.get()));
    }
    return flinks.or(() -> hudis);
  }

  private void requireKinds(List<String> kinds) {
    boolean areAll =
        kinds.size() == options.givenNames(TableOptions.PARTITION_PATH_FIELD).size()
            && kinds.stream()
                .allMatch(kind -> kind.endsWith(":simple") || kind.endsWith(":timestamp"));
    if (!areAll) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' must say of each column that it is simple or timestamp, such as 'region:simple,ts:timestamp'."
              .formatted(
                  options.table(),
                  TableOptions.PARTITION_PATH_FIELD.key(),
                  options.get(TableOptions.PARTITION_PATH_FIELD)));
    }
  }

  private void addTimes(List<String> kinds, Map<String, String> asked) {
    List<String> columns =
        kinds.isEmpty()
            ? partition
            : kinds.stream()
                .filter(kind -> kind.endsWith(":timestamp"))
                .map(KeyGenerators::withoutKind)
                .toList();
    if (kinds.isEmpty() && (partition.size() != 1 || key.size() > 1)) {
      throw new HudiTableException(
          "Table %s: partitions that are formatted times ('%s', or the key generator TIMESTAMP) take one partition column and one key column; there are %s and %s. With several, name kinds in '%s', such as 'region:simple,ts:timestamp'."
              .formatted(
                  options.table(),
                  TableOptions.PARTITION_FORMAT.key(),
                  partition,
                  key,
                  TableOptions.PARTITION_PATH_FIELD.key()));
    }
    for (ConfigOption<String> option : TIME_OPTIONS) {
      options.given(option).ifPresent(value -> asked.put(option.key(), value));
    }
    format().ifPresent(format -> asked.put(TimePartition.OUTPUT_FORMAT, format));
    if (stored.isPresent()) {
      return; // what is not said is as stored
    }
    LogicalType type =
        StoredTypes.ofNewTable(rowType).getTypeAt(rowType.getFieldIndex(columns.get(0)));
    asked.putIfAbsent(TimePartition.TYPE, kindOf(type).name());
    asked.putIfAbsent(TimePartition.OUTPUT_FORMAT, isDays(type) ? "yyyyMMdd" : "yyyyMMddHH");
    if (isDays(type) && asked.get(TimePartition.TYPE).equalsIgnoreCase("SCALAR")) {
      asked.putIfAbsent(TimePartition.UNIT, "DAYS");
    }
    for (String column : columns) {
      TimePartition.of(column, asked); // refuses what cannot be
    }
  }

  private static boolean isDays(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case DATE, INTEGER, SMALLINT, TINYINT -> true;
      default -> false;
    };
  }

  private static TimePartition.Kind kindOf(LogicalType type) {
    return switch (type.getTypeRoot()) {
      case CHAR, VARCHAR -> TimePartition.Kind.DATE_STRING;
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          Timestamps.storedUnit(type) == Timestamps.Unit.MICROS
              ? TimePartition.Kind.EPOCHMICROSECONDS
              : TimePartition.Kind.EPOCHMILLISECONDS;
      default -> isDays(type) ? TimePartition.Kind.SCALAR : TimePartition.Kind.EPOCHMILLISECONDS;
    };
  }

  private Optional<KeyGeneratorType> asked() {
    Optional<String> type = options.given(TableOptions.KEY_GENERATOR_TYPE);
    Optional<String> className =
        options.given(TableOptions.KEY_GENERATOR_CLASS).filter(name -> !name.isBlank());
    Optional<KeyGeneratorType> byType =
        type.map(
            name ->
                KeyGeneratorType.ofType(name)
                    .orElseThrow(() -> unknown(TableOptions.KEY_GENERATOR_TYPE.key(), name)));
    Optional<KeyGeneratorType> byClass =
        className.map(
            name ->
                KeyGeneratorType.ofClass(name)
                    .orElseThrow(() -> unknown(TableOptions.KEY_GENERATOR_CLASS.key(), name)));
    if (byType.isPresent() && byClass.isPresent() && !byType.equals(byClass)) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' and '%s'='%s' are two different key generators. Remove one of them."
              .formatted(
                  options.table(),
                  TableOptions.KEY_GENERATOR_TYPE.key(),
                  type.get(),
                  TableOptions.KEY_GENERATOR_CLASS.key(),
                  className.get()));
    }
    Optional<KeyGeneratorType> generator = byType.or(() -> byClass);
    if (generator.equals(Optional.of(KeyGeneratorType.NON_PARTITION)) && !partition.isEmpty()) {
      throw new HudiTableException(
          "Table %s: the key generator NON_PARTITION does not fit a table that is partitioned by %s. Leave '%s' and '%s' out."
              .formatted(
                  options.table(),
                  partition,
                  TableOptions.KEY_GENERATOR_TYPE.key(),
                  TableOptions.KEY_GENERATOR_CLASS.key()));
    }
    if (generator.equals(Optional.of(KeyGeneratorType.SIMPLE))
        && (key.size() > 1 || partition.size() != 1)) {
      // Hudi's default, which its Flink connector replaces by what fits.
      return Optional.empty();
    }
    return generator;
  }

  private HudiTableException unknown(String option, String value) {
    return new HudiTableException(
        "Table %s: '%s'='%s' is not possible in this version; SIMPLE, COMPLEX, NON_PARTITION, TIMESTAMP and CUSTOM are, and the right one is found by itself when the option is left out."
            .formatted(options.table(), option, value));
  }
}
