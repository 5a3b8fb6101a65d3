package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.MAP;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.sql.KnownOption.Concerns;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.catalog.UniqueConstraint;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TableDeclarationTest {

  private static final ResolvedSchema KEYED = schema("tss", "id");
  private static final ResolvedSchema WITHOUT_KEY = schema("tss");

  private static ResolvedSchema schema(String timeColumn, String... key) {
    return new ResolvedSchema(
        List.of(
            Column.physical("id", DataTypes.INT().notNull()),
            Column.physical("name", DataTypes.STRING()),
            Column.physical("price", DataTypes.DOUBLE()),
            Column.physical(timeColumn, DataTypes.BIGINT()),
            Column.physical("dt", DataTypes.STRING()),
            Column.metadata("_hoodie_commit_time", DataTypes.STRING(), null, true)),
        List.of(),
        key.length == 0 ? null : UniqueConstraint.primaryKey("pk", List.of(key)));
  }

  private static ResolvedSchema columnsOf(String name, DataType type) {
    return new ResolvedSchema(
        List.of(Column.physical("id", DataTypes.INT()), Column.physical(name, type)),
        List.of(),
        null);
  }

  private static TableDeclaration declare(ResolvedSchema ddl, Map<String, String> with) {
    return declare(ddl, with, null);
  }

  private static TableDeclaration declare(
      ResolvedSchema ddl, Map<String, String> with, @Nullable StoredTable stored) {
    return TableDeclaration.of(
        ddl,
        List.of(),
        EffectiveOptions.of("db.t", with, Concerns.WRITERS),
        Optional.ofNullable(stored));
  }

  /** A table with key id, partition dt and ordering column tss. */
  private static StoredTable stored(String... moreProperties) {
    Map<String, String> properties = new HashMap<>();
    properties.put("hoodie.table.name", "t");
    properties.put("hoodie.table.type", "MERGE_ON_READ");
    properties.put("hoodie.table.version", "8");
    properties.put("hoodie.table.recordkey.fields", "id");
    properties.put("hoodie.table.partition.fields", "dt");
    properties.put("hoodie.table.precombine.field", "tss");
    properties.put("hoodie.record.merge.mode", "EVENT_TIME_ORDERING");
    for (int i = 0; i < moreProperties.length; i += 2) {
      properties.put(moreProperties[i], moreProperties[i + 1]);
    }
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return new StoredTable(
        TableConfig.parse(text.toString().getBytes(StandardCharsets.UTF_8), "/t"),
        (RowType) KEYED.toPhysicalRowDataType().getLogicalType(),
        Optional.empty());
  }

  @Test
  void rolesComeFromClausesAndOptions() {
    TableDeclaration declared =
        TableDeclaration.of(
            KEYED,
            List.of("dt"),
            EffectiveOptions.of(
                "db.t",
                Map.of("table.type", "merge_on_read", "precombine.field", "tss"),
                Concerns.WRITERS),
            Optional.empty());
    assertThat(declared.schema().recordKeyColumns()).containsExactly("id");
    assertThat(declared.schema().partitionColumns()).containsExactly("dt");
    assertThat(declared.schema().orderingColumns()).containsExactly("tss");
    assertThat(declared.schema().rowType().getFieldNames())
        .containsExactly("id", "name", "price", "tss", "dt");
    assertThat(declared.type()).isEqualTo(TableType.MERGE_ON_READ);
    assertThat(declared.mergeMode()).isEqualTo(MergeMode.EVENT_TIME_ORDERING);
  }

  @Test
  void optionsStandInForClauses() {
    TableDeclaration declared =
        declare(
            WITHOUT_KEY,
            Map.of(
                "hoodie.datasource.write.recordkey.field", "id, name",
                "hoodie.datasource.write.partitionpath.field", "dt"));
    assertThat(declared.schema().recordKeyColumns()).containsExactly("id", "name");
    assertThat(declared.schema().partitionColumns()).containsExactly("dt");
    assertThat(declared.properties()).containsEntry("hoodie.table.recordkey.fields", "id,name");
  }

  @Test
  void clauseAndOptionMustAgree() {
    assertThatThrownBy(
            () -> declare(KEYED, Map.of("hoodie.datasource.write.recordkey.field", "name")))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("PRIMARY KEY (id)")
        .hasMessageContaining("'hoodie.datasource.write.recordkey.field'='name'");
    declare(KEYED, Map.of("hoodie.datasource.write.recordkey.field", "id"));
  }

  @Test
  void missingOrderingColumnListsTheColumnsAndSuggestsTheNearest() {
    assertThatThrownBy(() -> declare(KEYED, Map.of("ordering.fields", "ts")))
        .hasMessageContaining("'ordering.fields' names 'ts'")
        .hasMessageContaining("[id, name, price, tss, dt]")
        .hasMessageContaining("the nearest one is 'tss'")
        .hasMessageContaining("COMMIT_TIME_ORDERING");
  }

  @Test
  void letterCaseOfKeyColumnsCounts() {
    assertThatThrownBy(
            () -> declare(WITHOUT_KEY, Map.of("hoodie.datasource.write.recordkey.field", "ID")))
        .hasMessageContaining("'ID'")
        .hasMessageContaining("[id, name, price, tss, dt]")
        .hasMessageContaining("the nearest one is 'id'");
  }

  @ParameterizedTest
  @CsvSource({
    "'', , COMMIT_TIME_ORDERING",
    "no_precombine, , COMMIT_TIME_ORDERING",
    "tss, , EVENT_TIME_ORDERING",
    "tss, org.apache.hudi.common.model.EventTimeAvroPayload, EVENT_TIME_ORDERING",
    "tss, org.apache.hudi.common.model.DefaultHoodieRecordPayload, EVENT_TIME_ORDERING",
    "tss, OverwriteWithLatestAvroPayload, COMMIT_TIME_ORDERING",
    "'', EventTimeAvroPayload, COMMIT_TIME_ORDERING",
  })
  void mergeModeFollowsFromOrderingAndPayload(
      String ordering, @Nullable String payload, MergeMode expected) {
    Map<String, String> with = new HashMap<>(Map.of("ordering.fields", ordering));
    if (payload != null) {
      with.put("payload.class", payload);
    }
    TableDeclaration declared = declare(KEYED, with);
    assertThat(declared.mergeMode()).isEqualTo(expected);
    assertThat(declared.schema().orderingColumns())
        .isEqualTo(expected == MergeMode.EVENT_TIME_ORDERING ? List.of("tss") : List.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"payload.class", "write.payload.class", "hoodie.datasource.write.payload.class"})
  void payloadsOfHudiThatAreNotKnownAreRefused(String key) {
    assertThatThrownBy(
            () ->
                declare(
                    KEYED, Map.of(key, "org.apache.hudi.common.model.MySqlDebeziumAvroPayload")))
        .hasMessageContaining("'payload.class'")
        .hasMessageContaining("MySqlDebeziumAvroPayload")
        .hasMessageContaining("PartialUpdateAvroPayload")
        .hasMessageContaining("OverwriteWithLatestAvroPayload");
  }

  @Test
  void mergeOptionsMustAgree() {
    assertThatThrownBy(
            () ->
                declare(
                    KEYED,
                    Map.of(
                        "hoodie.write.record.merge.mode", "event_time_ordering",
                        "ordering.fields", "tss",
                        "payload.class", "OverwriteWithLatestAvroPayload")))
        .hasMessageContaining("contradict")
        .hasMessageContaining("event_time_ordering")
        .hasMessageContaining("OverwriteWithLatestAvroPayload");
    assertThatThrownBy(
            () -> declare(KEYED, Map.of("hoodie.write.record.merge.mode", "EVENT_TIME_ORDERING")))
        .hasMessageContaining("no column is named to order by");
    assertThatThrownBy(() -> declare(KEYED, Map.of("hoodie.write.record.merge.mode", "CUSTOM")))
        .hasMessageContaining("no class is named");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PartialUpdateAvroPayload",
        "org.apache.hudi.common.model.PartialUpdateAvroPayload",
        "com.example.OurMerger"
      })
  void payloadsThatDecideThemselvesStandUnderModeCustom(String payload) {
    TableDeclaration declared =
        declare(KEYED, Map.of("payload.class", payload, "ordering.fields", "tss"));
    assertThat(declared.mergeMode()).isEqualTo(MergeMode.CUSTOM);
    assertThat(declared.properties())
        .containsEntry("hoodie.record.merge.mode", "CUSTOM")
        .containsEntry("hoodie.compaction.payload.class", payload)
        .containsEntry("hoodie.table.precombine.field", "tss");
  }

  @Test
  void columnCalledTsIsNoOrderingColumnByItself() {
    EffectiveOptions options = EffectiveOptions.of("db.t", Map.of(), Concerns.WRITERS);
    TableDeclaration declared =
        TableDeclaration.of(schema("ts", "id"), List.of(), options, Optional.empty());
    assertThat(declared.mergeMode()).isEqualTo(MergeMode.COMMIT_TIME_ORDERING);
    assertThat(options.warnings()).singleElement().asString().contains("'ordering.fields'='ts'");
  }

  @Test
  void severalOrderingColumnsAreRefused() {
    assertThatThrownBy(() -> declare(KEYED, Map.of("ordering.fields", "tss,price")))
        .hasMessageContaining("one ordering column");
  }

  @Test
  void whatIsNotSaidIsInheritedFromTheTable() {
    TableDeclaration declared = declare(WITHOUT_KEY, Map.of(), stored());
    assertThat(declared.schema().recordKeyColumns()).containsExactly("id");
    assertThat(declared.schema().partitionColumns()).containsExactly("dt");
    assertThat(declared.schema().orderingColumns()).containsExactly("tss");
    assertThat(declared.mergeMode()).isEqualTo(MergeMode.EVENT_TIME_ORDERING);
    assertThat(declared.type()).isEqualTo(TableType.MERGE_ON_READ);
    assertThat(declared.properties()).isEmpty();
  }

  @Test
  void inheritedColumnsMustBeInTheDdl() {
    ResolvedSchema few = columnsOf("name", DataTypes.STRING());
    assertThatThrownBy(() -> declare(few, Map.of(), stored()))
        .hasMessageContaining("lacks the column 'dt'");
  }

  @Test
  void typesWithoutAPlaceInHudiAreRefused() {
    assertThatThrownBy(() -> declare(columnsOf("t", DataTypes.TIME()), Map.of()))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'t'")
        .hasMessageContaining("TIME");
    assertThatThrownBy(() -> declare(columnsOf("t", DataTypes.TIMESTAMP(9)), Map.of()))
        .hasMessageContaining("TIMESTAMP(9)");
  }

  @Test
  void metaColumnsAreDeclaredAsMetadata() {
    assertThatThrownBy(
            () -> declare(columnsOf("_hoodie_commit_time", DataTypes.STRING()), Map.of()))
        .hasMessageContaining("METADATA VIRTUAL");
  }

  @ParameterizedTest
  @CsvSource({
    "SIMPLE, ",
    "COMPLEX_AVRO, COMPLEX",
    "complex, COMPLEX",
  })
  void keyGeneratorIsTakenIfItFits(String type, @Nullable String property) {
    assertThat(
            declare(KEYED, Map.of("hoodie.datasource.write.keygenerator.type", type))
                .properties()
                .get("hoodie.table.keygenerator.type"))
        .isEqualTo(property);
  }

  @Test
  void unknownKeyGeneratorIsRefused() {
    assertThatThrownBy(
            () ->
                declare(
                    KEYED,
                    Map.of("hoodie.datasource.write.keygenerator.class", "org.example.Mine")))
        .hasMessageContaining("org.example.Mine")
        .hasMessageContaining("SIMPLE, COMPLEX, NON_PARTITION, TIMESTAMP and CUSTOM");
  }

  private static final String PARTITION = "hoodie.datasource.write.partitionpath.field";

  @Test
  void partitionFormatMakesTheKeyGeneratorOfTimes() {
    assertThat(declare(KEYED, Map.of(PARTITION, "tss", "write.partition.format", "yyyy/MM/dd")))
        .extracting(TableDeclaration::properties, MAP)
        .containsEntry("hoodie.table.keygenerator.type", "TIMESTAMP")
        .containsEntry("hoodie.keygen.timebased.timestamp.type", "EPOCHMILLISECONDS")
        .containsEntry("hoodie.keygen.timebased.output.dateformat", "yyyy/MM/dd");
    assertThat(
            declare(
                KEYED,
                Map.of(
                    PARTITION,
                    "dt:SIMPLE, tss:timestamp",
                    "hoodie.deltastreamer.keygen.timebased.timestamp.type",
                    "unix_timestamp")))
        .extracting(TableDeclaration::properties, MAP)
        .containsEntry("hoodie.table.keygenerator.type", "CUSTOM")
        .containsEntry("hoodie.table.partition.fields", "dt:simple,tss:timestamp")
        .containsEntry("hoodie.keygen.timebased.timestamp.type", "unix_timestamp")
        .containsEntry("hoodie.keygen.timebased.output.dateformat", "yyyyMMddHH");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tss | write.partition.format | yy-QQ | yy-QQ",
        "dt,tss | write.partition.format | yyyy | one partition column",
        "dt | write.partition.format | yyyy | input.dateformat",
        "dt:simple,tss | write.partition.format | yyyy | of each column",
        "dt:simple | hoodie.datasource.write.keygenerator.type | SIMPLE | only the key generator"
            + " CUSTOM",
        "dt | hoodie.datasource.write.keygenerator.type | CUSTOM | dt:simple",
        "tss | hoodie.keygen.timebased.timezone | Mars | 'Mars'"
      })
  void timesThatCannotBeAreRefused(String fields, String option, String value, String message) {
    assertThatThrownBy(() -> declare(KEYED, Map.of(PARTITION, fields, option, value)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining(message);
  }

  @Test
  void otherTimesThanTheTablesAreRefused() {
    StoredTable table =
        stored(
            "hoodie.table.keygenerator.type",
            "TIMESTAMP",
            "hoodie.keygen.timebased.timestamp.type",
            "DATE_STRING",
            "hoodie.keygen.timebased.input.dateformat",
            "yyyy-MM-dd",
            "hoodie.keygen.timebased.output.dateformat",
            "yyyyMMdd");
    TableDeclaration other = declare(KEYED, Map.of("write.partition.format", "yyyyMM"), table);
    assertThatThrownBy(() -> table.config().requireSame(other.properties(), "here"))
        .hasMessageContaining("yyyyMM")
        .hasMessageContaining("yyyyMMdd");
    table.config().requireSame(declare(KEYED, Map.of(), table).properties(), "here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "payload.class",
        "write.payload.class",
        "hoodie.datasource.write.payload.class",
        "record.merger.impls"
      })
  void row1PayloadClassHasManyNames(String option) {
    String given = "org.apache.hudi.common.model.PartialUpdateAvroPayload";
    for (String name : List.of(given, "PartialUpdateAvroPayload")) {
      TableDeclaration declared = declare(KEYED, Map.of(option, name, "ordering.fields", "tss"));
      assertThat(declared.mergeMode()).isEqualTo(MergeMode.CUSTOM);
      assertThat(declared.properties()).containsEntry("hoodie.compaction.payload.class", name);
    }
  }

  private static List<String> warningsOfWriter(Map<String, String> with) {
    EffectiveOptions options = EffectiveOptions.of("db.t", with, Concerns.WRITERS);
    TableDeclaration declared =
        TableDeclaration.of(KEYED, List.of("dt"), options, Optional.empty());
    SinkSettings.of(options, declared, Optional.empty());
    return options.warnings();
  }

  @Test
  void row30KeyWithoutThePartitionIsWarnedOfWhereItWouldNotMove() {
    for (Map<String, String> local :
        List.of(
            Map.of("index.global.enabled", "false"),
            Map.of("index.type", "BUCKET", "table.type", "MERGE_ON_READ"))) {
      assertThat(warningsOfWriter(local))
          .as("%s", local)
          .anyMatch(
              warning ->
                  warning.contains("a key without [dt]") && warning.contains("a second row"));
    }
    assertThat(warningsOfWriter(Map.of())).noneMatch(warning -> warning.contains("second row"));
    assertThatThrownBy(
            () -> warningsOfWriter(Map.of("index.type", "BUCKET", "index.global.enabled", "true")))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'index.global.enabled'='true' and 'index.type'='BUCKET'")
        .hasMessageContaining("Add [dt] to the key");
  }

  @Test
  void row53MergingInTheBufferIsNotTheOrderingColumn() {
    Map<String, String> both = Map.of("write.precombine", "true", "write.precombine.field", "tss");
    assertThat(declare(KEYED, both).schema().orderingColumns()).containsExactly("tss");
    assertThat(declare(KEYED, Map.of("write.precombine", "true")).schema().orderingColumns())
        .isEmpty();
    assertThat(warningsOfWriter(both)).noneMatch(warning -> warning.contains("precombine"));
  }
}
