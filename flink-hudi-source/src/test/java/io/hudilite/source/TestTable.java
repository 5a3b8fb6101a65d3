package io.hudilite.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.BaseFileCreator;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.FileGroupWriter;
import io.hudilite.core.write.LogAppender;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.SequenceNumbers;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.Schema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/**
 * A merge-on-read table with a writer as simple as can be: one file group per partition unless told
 * otherwise, one flush per commit, keys that are unique in the whole table.
 */
final class TestTable {
  private static final LogicalType STRING = new VarCharType(VarCharType.MAX_LENGTH);

  /** {@code id, v, ts, p}, keyed by id, ordered by ts, partitioned by p. */
  static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {STRING, STRING, new BigIntType(), STRING},
          new String[] {"id", "v", "ts", "p"});

  private final Path folder;
  private final TableSchema schema;
  private final Storage storage;
  private final TableConfig config;
  private final InstantClock clock;
  private final TableCommit commits;
  private final RowFormat format;
  private final KeyExtractor keys;
  private final AvroRowEncoder encoder;
  private final PartitionMetadata partitions;
  private final int groupsPerPartition;

  private final Map<String, FileGroupId> groupOfKey = new HashMap<>();
  private final Map<String, List<FileGroupId>> groupsOfPartition = new HashMap<>();
  private final Set<FileGroupId> written = new HashSet<>();
  private int newKeys;

  private TestTable(Path folder, TableSchema schema, int groupsPerPartition) throws IOException {
    this.folder = folder;
    this.schema = schema;
    this.groupsPerPartition = groupsPerPartition;
    this.storage = Storages.of(folder.toString());
    Schema avro = AvroSchemas.toAvro(schema.rowType(), "t");
    this.config =
        TableConfigStore.create(
            storage,
            TableConfig.newTable("t", TableType.MERGE_ON_READ)
                .recordKeyFields(schema.recordKeyColumns().toArray(new String[0]))
                .partitionFields(schema.partitionColumns().toArray(new String[0]))
                .orderingField(schema.orderingColumns().get(0))
                .property(TableConfig.TIMELINE_ZONE, "UTC")
                .createSchema(avro.toString())
                .build());
    this.clock = new InstantClock(InstantSource.system(), ZoneOffset.UTC);
    this.commits = new TableCommit(storage, config, clock);
    this.format = new RowFormat(storage, schema.rowType(), "t", BaseFileSettings.DEFAULT, 1 << 20);
    this.keys = new KeyExtractor(schema, KeyFormat.of(config));
    this.encoder = new AvroRowEncoder(schema.rowType());
    this.partitions = new PartitionMetadata(storage);
  }

  /** A table of {@link #COLUMNS}. */
  static TestTable create(Path folder) throws IOException {
    return create(folder, COLUMNS, List.of("p"), 1);
  }

  /** Keyed by id, ordered by ts. */
  static TestTable create(
      Path folder, RowType rowType, List<String> partitionColumns, int groupsPerPartition)
      throws IOException {
    return new TestTable(
        folder,
        new TableSchema(rowType, List.of("id"), partitionColumns, List.of("ts")),
        groupsPerPartition);
  }

  static RowType strings(String... names) {
    LogicalType[] types = new LogicalType[names.length];
    for (int i = 0; i < names.length; i++) {
      types[i] = names[i].equals("ts") ? new BigIntType() : STRING;
    }
    return RowType.of(types, names);
  }

  static RowData row(Object... values) {
    return rowOf(RowKind.INSERT, values);
  }

  static RowData delete(Object... values) {
    return rowOf(RowKind.DELETE, values);
  }

  static RowData rowOf(RowKind kind, Object... values) {
    GenericRowData row = new GenericRowData(kind, values.length);
    for (int i = 0; i < values.length; i++) {
      row.setField(i, values[i] instanceof String text ? StringData.fromString(text) : values[i]);
    }
    return row;
  }

  String path() {
    return folder.toString();
  }

  /** Commits rows as one instant; a later row of a key counts. Returns the requested time. */
  InstantTime commit(RowData... rows) throws IOException {
    return commit(List.of(rows));
  }

  InstantTime commit(List<RowData> rows) throws IOException {
    InstantTime instant = commits.begin(Action.DELTA_COMMIT);
    complete(instant, write(instant, rows, CommitMetadata.UPSERT, Map.of()));
    return instant;
  }

  /** Puts these rows in place of all rows of a partition. */
  InstantTime overwrite(String partition, RowData... rows) throws IOException {
    InstantTime instant = commits.begin(Action.REPLACE_COMMIT);
    List<FileGroupId> old = groupsOfPartition.remove(partition);
    List<String> replaced =
        old == null
            ? List.of()
            : old.stream().filter(written::contains).map(id -> id.fileId().value()).toList();
    groupOfKey.values().removeIf(group -> group.partitionPath().equals(partition));
    complete(
        instant,
        write(
            instant, List.of(rows), CommitMetadata.INSERT_OVERWRITE, Map.of(partition, replaced)));
    return instant;
  }

  private CommitMetadata write(
      InstantTime instant, List<RowData> rows, String operation, Map<String, List<String>> replaced)
      throws IOException {
    SequenceNumbers sequence = new SequenceNumbers(instant, 0);
    Map<FileGroupId, FileGroupWriter> writers = new LinkedHashMap<>();
    Map<String, RowData> newest = new LinkedHashMap<>();
    rows.forEach(row -> newest.put(keys.recordKey(row), row));
    for (Map.Entry<String, RowData> entry : newest.entrySet()) {
      write(entry.getKey(), entry.getValue(), sequence, writers);
    }
    List<WriteStat> stats = new ArrayList<>();
    for (FileGroupWriter writer : writers.values()) {
      stats.addAll(writer.finish());
    }
    Map<String, String> extra =
        Map.of(
            CommitMetadata.SCHEMA,
            AvroSchemas.toAvro(schema.rowType(), "t").toString(),
            "hudi-lite.superseded.dropped",
            "true");
    return new CommitMetadata(stats, false, extra, operation, replaced);
  }

  /** Rewrites each file group into a new one. */
  InstantTime cluster() throws IOException {
    InstantTime instant = commits.begin(Action.CLUSTERING);
    Map<String, List<String>> replaced = new HashMap<>();
    List<WriteStat> stats = new ArrayList<>();
    Map<FileGroupId, FileGroupId> renamed = new HashMap<>();
    HudiTable table = HudiTable.open(storage);
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      FileGroupId from = split.groupId();
      FileGroupId to = new FileGroupId(from.partitionPath(), FileId.of(UUID.randomUUID()));
      renamed.put(from, to);
      replaced
          .computeIfAbsent(from.partitionPath(), p -> new ArrayList<>())
          .add(from.fileId().value());
      stats.add(rewrite(table, split, to, instant));
    }
    groupOfKey.replaceAll((key, group) -> renamed.getOrDefault(group, group));
    groupsOfPartition
        .values()
        .forEach(groups -> groups.replaceAll(group -> renamed.getOrDefault(group, group)));
    written.addAll(renamed.values());
    Map<String, String> extra =
        Map.of(CommitMetadata.SCHEMA, AvroSchemas.toAvro(schema.rowType(), "t").toString());
    complete(instant, new CommitMetadata(stats, false, extra, CommitMetadata.CLUSTER, replaced));
    return instant;
  }

  private WriteStat rewrite(HudiTable table, ScanSplit split, FileGroupId to, InstantTime instant)
      throws IOException {
    FileSlice slice = split.slice();
    RowType rowType = AvroSchemas.withMetaColumns(schema.rowType());
    String avro = AvroSchemas.toAvroWithMeta(schema.rowType(), "t").toString();
    BaseFileName name = new BaseFileName(to.fileId(), "1-0-0", instant);
    BaseFileWriter writer =
        BaseFileWriter.create(
            storage, to.pathOf(name.toString()), rowType, avro, BaseFileSettings.DEFAULT);
    try (RowReader rows = SplitReader.open(table.readContext(), split, rowType)) {
      for (RowData row = rows.next(); row != null; row = rows.next()) {
        writer.write(row);
      }
    }
    writer.close();
    return WriteStat.ofRewrittenBaseFile(
        to.fileId().value(),
        to.partitionPath(),
        name.toString(),
        slice.baseInstant(),
        slice.baseFile().map(base -> base.name().toString()).orElse(""),
        writer.rowCount(),
        0,
        0,
        0,
        writer.fileSizeBytes());
  }

  private void complete(InstantTime instant, CommitMetadata metadata) {
    assertThat(commits.commit(instant, metadata)).isEqualTo(CommitOutcome.COMMITTED);
  }

  private void write(
      String key, RowData row, SequenceNumbers sequence, Map<FileGroupId, FileGroupWriter> writers)
      throws IOException {
    AvroBuffer bytes = new AvroBuffer();
    keys.recordKey(row, bytes);
    int keyLength = bytes.size();
    encoder.encode(row, bytes);
    String partition = keys.partitionPath(row);
    OrderingValue ordering = keys.ordering(row);
    FileGroupId known = groupOfKey.get(key);
    boolean isDelete = row.getRowKind() == RowKind.DELETE;
    if (known != null && (isDelete || !known.partitionPath().equals(partition))) {
      writer(known, sequence, writers).delete(bytes.array(), 0, keyLength, ordering);
      groupOfKey.remove(key);
      known = null;
    }
    if (!isDelete) {
      FileGroupId group = known == null ? groupForNewKey(partition) : known;
      writer(group, sequence, writers)
          .upsert(bytes.array(), 0, keyLength, keyLength, bytes.size() - keyLength);
      groupOfKey.put(key, group);
    }
  }

  private FileGroupId groupForNewKey(String partition) {
    List<FileGroupId> groups = groupsOfPartition.computeIfAbsent(partition, p -> new ArrayList<>());
    while (groups.size() < groupsPerPartition) {
      groups.add(new FileGroupId(partition, FileId.of(UUID.randomUUID())));
    }
    return groups.get(newKeys++ % groupsPerPartition);
  }

  private FileGroupWriter writer(
      FileGroupId group, SequenceNumbers sequence, Map<FileGroupId, FileGroupWriter> writers)
      throws IOException {
    FileGroupWriter writer = writers.get(group);
    if (writer == null) {
      partitions.ensure(group.partitionPath(), sequence.instant());
      LogFileName log = new LogFileName(group.fileId(), sequence.instant(), 1, "0-0-0");
      writer =
          written.add(group)
              ? new BaseFileCreator(
                  format,
                  sequence,
                  group.partitionPath(),
                  new BaseFileName(group.fileId(), "0-0-0", sequence.instant()),
                  log)
              : new LogAppender(format, sequence, group.partitionPath(), log);
      writers.put(group, writer);
    }
    return writer;
  }

  /** Merges each file slice with log files into a new base file. */
  /** Empty if there is nothing to compact. */
  Optional<InstantTime> compact() throws IOException {
    return Compactions.compact(storage, clock);
  }

  /** As cleaning does. */
  void deleteFilesBefore(InstantTime instant) throws IOException {
    HudiTable table = HudiTable.open(storage);
    for (String partition : table.view().partitions()) {
      for (StoredFile file : storage.list(partition)) {
        boolean isOld =
            BaseFileName.parse(file.name())
                .map(BaseFileName::instant)
                .or(() -> LogFileName.parse(file.name()).map(LogFileName::instant))
                .filter(of -> of.isBefore(instant))
                .isPresent();
        if (isOld) {
          storage.delete(partition + "/" + file.name());
        }
      }
    }
  }

  /** The keys that are in the table. */
  Set<String> liveKeys() {
    return Set.copyOf(groupOfKey.keySet());
  }
}
