package io.hudilite.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.Fixtures;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TableConfigTest {
  private static TableConfig orders() {
    return TableConfig.newTable("orders", TableType.MERGE_ON_READ)
        .databaseName("default")
        .recordKeyFields("order_id")
        .partitionFields("dt")
        .orderingField("ts")
        .hiveStylePartitioning()
        .build();
  }

  @Property(tries = 200)
  void propertiesSurviveARoundTrip(@ForAll @Size(max = 5) Map<String, String> properties)
      throws IOException {
    byte[] bytes = PropertiesCodec.encode(properties, "comment");

    assertThat(PropertiesCodec.decode(bytes)).isEqualTo(properties);
    Properties java = new Properties();
    java.load(new java.io.ByteArrayInputStream(bytes));
    assertThat(java).isEqualTo(new HashMap<>(properties));
  }

  @Test
  void newTableHasWhatHudiWritesForIt(@TempDir Path folder) throws IOException {
    Path table = Fixtures.unpack("mor_compacted", folder);
    TableConfig real = TableConfigStore.load(new LocalStorage(table));
    Map<String, String> ours =
        new HashMap<>(
            TableConfig.newTable("mor_compacted", TableType.MERGE_ON_READ)
                .recordKeyFields("order_id")
                .partitionFields("dt")
                .orderingField("ts")
                .hiveStylePartitioning()
                .databaseName(real.databaseName())
                .createSchema(real.createSchema().orElseThrow())
                .build()
                .properties());

    assertThat(real.properties().get(TableConfig.TIMELINE_ZONE)).isEqualTo("LOCAL");
    assertThat(ours.put(TableConfig.TIMELINE_ZONE, "LOCAL")).isEqualTo("UTC");
    assertThat(ours).isEqualTo(real.properties());
  }

  @Test
  void checksumIsThatOfHudi() {
    assertThat(TableConfig.checksumOf("default", "orders")).isEqualTo("1214328098");
    assertThat(TableConfig.checksumOf("", "t1")).isEqualTo("3609136688");
    assertThat(TableConfig.checksumOf("db", "t1")).isEqualTo("333565498");
  }

  @Test
  void oldAndNewVersionsAreRead(@TempDir Path folder) throws IOException {
    TableConfig six = TableConfigStore.load(new LocalStorage(Fixtures.unpack("v6_cow", folder)));
    TableConfig nine = TableConfigStore.load(new LocalStorage(Fixtures.unpack("v9_mor", folder)));

    assertThat(six.version()).isEqualTo(TableVersion.SIX);
    assertThat(six.keyGenerator()).isEqualTo(KeyGeneratorType.SIMPLE);
    assertThat(six.timelinePath()).isEqualTo(".hoodie");
    assertThat(six.orderingFields()).containsExactly("ts");
    assertThat(nine.version()).isEqualTo(TableVersion.NINE);
    assertThat(nine.mergeMode()).isEqualTo(MergeMode.EVENT_TIME_ORDERING);
    assertThat(nine.orderingFields()).containsExactly("ts");
    assertThat(nine.timelinePath()).isEqualTo(".hoodie/timeline");
    assertThatThrownBy(() -> six.requireWritable("x"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("version 6")
        .hasMessageContaining("only version 8");
  }

  @Test
  void storedIsReadAsWritten() {
    TableConfig config = orders();

    TableConfig read = TableConfig.parse(config.toProperties(), "x");

    assertThat(read).isEqualTo(config);
    assertThat(read.type()).isEqualTo(TableType.MERGE_ON_READ);
    assertThat(read.recordKeyFields()).containsExactly("order_id");
    assertThat(read.partitionFields()).containsExactly("dt");
    assertThat(read.mergeMode()).isEqualTo(MergeMode.EVENT_TIME_ORDERING);
    assertThat(read.timelineZone()).isEqualTo(ZoneOffset.UTC);
    assertThat(read.isHiveStylePartitioned()).isTrue();
    assertThat(read.isPartitionPathUrlEncoded()).isFalse();
  }

  @Test
  void conflictShowsBothValuesAndTheWayOut() {
    assertThatThrownBy(
            () ->
                orders()
                    .requireSame(
                        Map.of(
                            TableConfig.NAME, "users",
                            TableConfig.RECORD_KEY_FIELDS, "user_id",
                            TableConfig.TYPE, "copy_on_write"),
                        "file:/t"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'user_id' in the declaration, but 'order_id' in the table")
        .hasMessageContaining("'hoodie.table.name' is 'users' in the declaration, but 'orders' in")
        .hasMessageContaining("'copy_on_write' in the declaration, but 'MERGE_ON_READ'")
        .hasMessageContaining("another path");
  }

  @Test
  void whatIsNotDeclaredIsInherited() {
    orders().requireSame(Map.of(), "x");
    orders()
        .requireSame(
            Map.of(
                TableConfig.TYPE, "merge_on_read",
                TableConfig.ORDERING_FIELDS, "ts",
                TableConfig.PAYLOAD_CLASS, "org.apache.hudi.common.model.EventTimeAvroPayload",
                TableConfig.KEY_GENERATOR_CLASS, "org.apache.hudi.keygen.SimpleAvroKeyGenerator"),
            "x");
  }

  @Test
  void contradictingWishesAreRefused() {
    assertThatThrownBy(
            () ->
                TableConfig.newTable("t", TableType.MERGE_ON_READ)
                    .mergeMode(MergeMode.EVENT_TIME_ORDERING)
                    .build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("no ordering field");
    assertThatThrownBy(
            () ->
                TableConfig.newTable("t", TableType.MERGE_ON_READ)
                    .property(TableConfig.ORDERING_FIELDS, "a,b")
                    .build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("[a, b]");
    assertThatThrownBy(
            () ->
                TableConfig.newTable("t", TableType.MERGE_ON_READ)
                    .orderingField("ts")
                    .mergeMode(MergeMode.COMMIT_TIME_ORDERING)
                    .property(
                        TableConfig.PAYLOAD_CLASS,
                        "org.apache.hudi.common.model.DefaultHoodieRecordPayload")
                    .build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("EVENT_TIME_ORDERING");
    assertThatThrownBy(
            () ->
                TableConfig.newTable("t", TableType.MERGE_ON_READ)
                    .property(TableConfig.VERSION, "9")
                    .build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("always '8'");
  }

  @Test
  void wrongChecksumIsRefused() {
    Map<String, String> damaged = new HashMap<>(orders().properties());
    damaged.put(TableConfig.NAME, "other");

    assertThatThrownBy(() -> TableConfig.parse(PropertiesCodec.encode(damaged, "x"), "file:/t"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("1214328098")
        .hasMessageContaining(TableConfig.checksumOf("default", "other"));
  }

  @Test
  void unknownVersionIsRefusedByName() {
    for (String version : new String[] {"7", "10", "x", ""}) {
      byte[] bytes =
          ("hoodie.table.name=t\nhoodie.table.version=" + version).getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> TableConfig.parse(bytes, "file:/t"))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining("'" + version + "'")
          .hasMessageContaining("6, 8 and 9");
    }
    assertThatThrownBy(() -> TableConfig.parse(new byte[0], "file:/t"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("(none)");
  }

  @Test
  void metadataTableStopsAWriter() {
    Map<String, String> withMetadata = new HashMap<>(orders().properties());
    withMetadata.put(TableConfig.METADATA_PARTITIONS, "files,column_stats");
    TableConfig config = TableConfig.parse(PropertiesCodec.encode(withMetadata, "x"), "file:/t");

    config.requireReadable("file:/t");
    assertThatThrownBy(() -> config.requireWritable("file:/t"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("files,column_stats")
        .hasMessageContaining("'hoodie.metadata.enable'='false'");
  }

  @Test
  void folderWithoutATableIsNamed() {
    assertThatThrownBy(() -> TableConfigStore.load(new InMemoryStorage()))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("not a Hudi table")
        .hasMessageContaining(".hoodie/hoodie.properties");
  }

  @Test
  void twoThatCreateOneTableAgree() throws IOException {
    Storage storage = new InMemoryStorage();

    assertThat(TableConfigStore.create(storage, orders())).isEqualTo(orders());
    assertThat(TableConfigStore.create(storage, orders())).isEqualTo(orders());
    assertThat(storage.exists(".hoodie/timeline/history")).isTrue();
    TableConfig other =
        TableConfig.newTable("orders", TableType.MERGE_ON_READ).recordKeyFields("id").build();
    assertThatThrownBy(() -> TableConfigStore.create(storage, other))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'id' in the declaration, but 'order_id' in the table");
  }

  @Test
  void backupStandsInWhileTheFileIsRewritten() throws IOException {
    Storage storage = new InMemoryStorage();
    storage.createNew(TableConfigStore.PATH + ".backup", orders().toProperties());

    assertThat(TableConfigStore.load(storage)).isEqualTo(orders());
  }
}
