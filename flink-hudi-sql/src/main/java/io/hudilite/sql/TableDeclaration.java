package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sql.EffectiveOptions.Origin;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.logical.RowType;

/**
 * What a DDL and its options say of a table, completed by the table that is there. One place for
 * the rules of who wins: what two places say must agree; what only one says counts.
 *
 * @param schema columns of the DDL and their roles
 * @param properties those of {@code hoodie.properties} that were asked for, by key
 */
record TableDeclaration(
    String table,
    TableType type,
    MergeMode mergeMode,
    TableSchema schema,
    Map<String, String> properties) {

  TableDeclaration {
    requireNonNull(table, "table");
    requireNonNull(type, "type");
    requireNonNull(mergeMode, "mergeMode");
    requireNonNull(schema, "schema");
    properties = Map.copyOf(properties);
  }

  /**
   * @param partitionKeys of PARTITIONED BY
   * @throws HudiTableException if something contradicts, is missing, or is not there
   */
  static TableDeclaration of(
      ResolvedSchema ddl,
      List<String> partitionKeys,
      EffectiveOptions options,
      Optional<StoredTable> stored) {
    RowType rowType = (RowType) ddl.toPhysicalRowDataType().getLogicalType();
    requireOwnColumns(options, rowType);
    AvroSchemas.requireSupported(rowType);
    Optional<TableConfig> config = stored.map(StoredTable::config);
    Map<String, String> asked = new TreeMap<>();

    List<String> primaryKey =
        ddl.getPrimaryKey().map(UniqueConstraint::getColumns).orElse(List.of());
    List<String> key =
        roleOf(
            options,
            rowType,
            new Role("record key", "PRIMARY KEY", TableOptions.RECORD_KEY_FIELD.key()),
            primaryKey,
            options.givenNames(TableOptions.RECORD_KEY_FIELD),
            config.map(TableConfig::recordKeyFields).orElse(List.of()),
            asked,
            TableConfig.RECORD_KEY_FIELDS);
    List<String> partition =
        roleOf(
            options,
            rowType,
            new Role("partition", "PARTITIONED BY", TableOptions.PARTITION_PATH_FIELD.key()),
            partitionKeys,
            KeyGenerators.partitionColumns(options),
            config.map(TableConfig::partitionFields).orElse(List.of()),
            asked,
            TableConfig.PARTITION_FIELDS);

    Optional<MergeRule.Chosen> rule = MergeRule.of(options);
    rule.flatMap(MergeRule.Chosen::className)
        .ifPresent(name -> asked.put(TableConfig.PAYLOAD_CLASS, name.trim()));
    Optional<MergeMode> askedMode = rule.map(MergeRule.Chosen::mode);
    List<String> ordering = ordering(options, rowType, askedMode, config, asked);
    MergeMode mode = mergeMode(options, askedMode, config, ordering, asked);

    options
        .given(TableOptions.TABLE_TYPE)
        .ifPresent(value -> asked.put(TableConfig.TYPE, value.toUpperCase(Locale.ROOT)));
    TableType type =
        options
            .given(TableOptions.TABLE_TYPE)
            .map(value -> TableType.valueOf(value.toUpperCase(Locale.ROOT)))
            .or(() -> config.map(TableConfig::type))
            .orElse(TableType.valueOf(TableOptions.TABLE_TYPE.defaultValue()));
    config.ifPresent(is -> options.settle(TableOptions.TABLE_TYPE.key(), is.type(), Origin.TABLE));

    options
        .given(TableOptions.HIVE_STYLE_PARTITIONING)
        .ifPresent(value -> asked.put(TableConfig.HIVE_STYLE_PARTITIONING, String.valueOf(value)));
    options
        .given(TableOptions.URL_ENCODE_PARTITIONING)
        .ifPresent(value -> asked.put(TableConfig.URL_ENCODE_PARTITIONS, String.valueOf(value)));
    options.given(TableOptions.TABLE_NAME).ifPresent(value -> asked.put(TableConfig.NAME, value));
    options
        .given(TableOptions.DATABASE_NAME)
        .ifPresent(value -> asked.put(TableConfig.DATABASE_NAME, value));
    new KeyGenerators(options, rowType, key, partition, config).addTo(asked);

    TableSchema schema =
        new TableSchema(
            rowType, key, partition, mode == MergeMode.COMMIT_TIME_ORDERING ? List.of() : ordering);
    return new TableDeclaration(options.table(), type, mode, schema, asked);
  }

  private static void requireOwnColumns(EffectiveOptions options, RowType rowType) {
    for (String name : rowType.getFieldNames()) {
      if (MetaColumns.isMetaColumn(name)) {
        throw new HudiTableException(
            "Table %s: '%s' is a meta column, which Hudi fills; declare it as '%s STRING METADATA VIRTUAL'."
                .formatted(options.table(), name, name));
      }
    }
    if (rowType.getFieldCount() == 0) {
      throw new HudiTableException(
          "Table %s has no columns of its own; declare those of the data."
              .formatted(options.table()));
    }
  }

  private record Role(String name, String clause, String option) {}

  /** The columns of a role: what clause and option say alike, or else what the table says. */
  private static List<String> roleOf(
      EffectiveOptions options,
      RowType rowType,
      Role role,
      List<String> ofClause,
      List<String> ofOption,
      List<String> stored,
      Map<String, String> asked,
      String property) {
    ofOption.forEach(name -> requireColumn(options, rowType, role.option(), name, ""));
    if (!ofClause.isEmpty() && !ofOption.isEmpty() && !ofClause.equals(ofOption)) {
      throw new HudiTableException(
          "Table %s has two different %s definitions: %s (%s) and '%s'='%s'. Remove one of them."
              .formatted(
                  options.table(),
                  role.name(),
                  role.clause(),
                  String.join(", ", ofClause),
                  role.option(),
                  String.join(",", ofOption)));
    }
    List<String> declared = ofClause.isEmpty() ? ofOption : ofClause;
    if (!declared.isEmpty()) {
      asked.put(property, String.join(",", declared));
      options.settle(
          role.option(),
          String.join(",", declared),
          ofOption.isEmpty() ? Origin.COLUMNS : Origin.DDL);
      return declared;
    }
    Optional<String> missing =
        stored.stream().filter(name -> rowType.getFieldIndex(name) < 0).findFirst();
    if (missing.isPresent()) {
      if (options.areForWriting()) {
        throw new HudiTableException(
            "Table %s lacks the column '%s', which is a %s field of the table at its path; the columns of the DDL are %s. Add it."
                .formatted(options.table(), missing.get(), role.name(), rowType.getFieldNames()));
      }
      return List.of(); // a reader may leave columns out
    }
    if (!stored.isEmpty()) {
      options.settle(role.option(), String.join(",", stored), Origin.TABLE);
    }
    return stored;
  }

  private static List<String> ordering(
      EffectiveOptions options,
      RowType rowType,
      Optional<MergeMode> askedMode,
      Optional<TableConfig> config,
      Map<String, String> asked) {
    String option = TableOptions.ORDERING_FIELDS.key();
    List<String> given = options.givenNames(TableOptions.ORDERING_FIELDS);
    if (given.equals(List.of("no_precombine"))) {
      if (askedMode.equals(Optional.of(MergeMode.EVENT_TIME_ORDERING))
          && options.given(TableOptions.MERGE_MODE).isPresent()) {
        throw new HudiTableException(
            "Table %s: '%s'='no_precombine' and '%s'='EVENT_TIME_ORDERING' contradict each other. Name an ordering column, or leave the merge mode out."
                .formatted(options.table(), option, TableOptions.MERGE_MODE.key()));
      }
      asked.put(TableConfig.MERGE_MODE, MergeMode.COMMIT_TIME_ORDERING.name());
      return List.of();
    }
    String wayOut =
        " Set '%s' to one of these, or '%s' to COMMIT_TIME_ORDERING and leave '%s' out."
            .formatted(option, TableOptions.MERGE_MODE.key(), option);
    given.forEach(name -> requireColumn(options, rowType, option, name, wayOut));
    boolean isStored = config.map(TableConfig::orderingFields).equals(Optional.of(given));
    if (given.size() > 1 && !isStored) {
      throw new HudiTableException(
          "Table %s: '%s'='%s' names %d columns, but tables of version 8 have one ordering column. Name one, or put the columns together into one in the query."
              .formatted(options.table(), option, String.join(",", given), given.size()));
    }
    if (given.isEmpty()) {
      List<String> stored = config.map(TableConfig::orderingFields).orElse(List.of());
      if (!options.areForWriting() && !rowType.getFieldNames().containsAll(stored)) {
        return List.of(); // a reader may leave columns out
      }
      if (!stored.isEmpty()) {
        options.settle(option, String.join(",", stored), Origin.TABLE);
      } else if (config.isEmpty() && askedMode.isEmpty() && rowType.getFieldIndex("ts") >= 0) {
        options.warn(
            "No ordering column is set, so the later row of a key wins. Hudi before 1.2 would have taken 'ts'; set '%s'='ts' if that is meant"
                .formatted(option));
      }
      return stored;
    }
    if (askedMode.equals(Optional.of(MergeMode.COMMIT_TIME_ORDERING))) {
      options.warn(
          "'%s'='%s' is not looked at, since the merge mode is COMMIT_TIME_ORDERING: the later row of a key wins"
              .formatted(option, given.get(0)));
      return List.of();
    }
    asked.put(TableConfig.PRECOMBINE_FIELD, String.join(",", given));
    return given;
  }

  private static MergeMode mergeMode(
      EffectiveOptions options,
      Optional<MergeMode> askedMode,
      Optional<TableConfig> config,
      List<String> ordering,
      Map<String, String> asked) {
    Optional<MergeMode> stored = config.map(TableConfig::mergeMode);
    Optional<MergeMode> byOption =
        askedMode.isPresent()
            ? askedMode
            : Optional.ofNullable(asked.get(TableConfig.MERGE_MODE)).map(MergeMode::valueOf);
    if (byOption.equals(Optional.of(MergeMode.EVENT_TIME_ORDERING)) && ordering.isEmpty()) {
      if (options.given(TableOptions.MERGE_MODE).isPresent()) {
        throw new HudiTableException(
            "Table %s: '%s' is EVENT_TIME_ORDERING, but no column is named to order by. Set '%s' to a column, or the merge mode to COMMIT_TIME_ORDERING."
                .formatted(
                    options.table(),
                    TableOptions.MERGE_MODE.key(),
                    TableOptions.ORDERING_FIELDS.key()));
      }
      options.warn(
          "No ordering column is set, so the later row of a key wins, as with"
              + " COMMIT_TIME_ORDERING");
      byOption = Optional.of(MergeMode.COMMIT_TIME_ORDERING);
    }
    byOption.ifPresent(mode -> asked.put(TableConfig.MERGE_MODE, mode.name()));
    MergeMode mode =
        byOption
            .or(() -> stored)
            .orElse(
                ordering.isEmpty()
                    ? MergeMode.COMMIT_TIME_ORDERING
                    : MergeMode.EVENT_TIME_ORDERING);
    options.settle(
        TableOptions.MERGE_MODE.key(),
        mode,
        byOption.isPresent() || stored.isEmpty() ? Origin.COLUMNS : Origin.TABLE);
    return mode;
  }

  private static void requireColumn(
      EffectiveOptions options, RowType rowType, String option, String name, String wayOut) {
    List<String> columns = rowType.getFieldNames();
    if (!columns.contains(name)) {
      throw new HudiTableException(
          "Table %s: '%s' names '%s', which is not a column. The columns are %s; the nearest one is '%s'.%s"
              .formatted(
                  options.table(),
                  option,
                  name,
                  columns,
                  NearestName.of(name, columns).orElse(""),
                  wayOut));
    }
  }
}
