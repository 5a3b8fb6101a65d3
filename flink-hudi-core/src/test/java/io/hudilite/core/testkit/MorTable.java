package io.hudilite.core.testkit;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.scan.IndexScanner;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
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
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * A partitioned merge-on-read table that is written as the sink does, with a clock that a test
 * moves: columns {@code id, name, ts, p}. A key always goes to the same file group of its
 * partition. Late changes are dropped where they arrive, as the sink does.
 */
public final class MorTable {
  public static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            new VarCharType(false, VarCharType.MAX_LENGTH),
            new VarCharType(VarCharType.MAX_LENGTH),
            new BigIntType(),
            new VarCharType(VarCharType.MAX_LENGTH)
          },
          new String[] {"id", "name", "ts", "p"});

  /** A change; {@code name} null deletes. */
  public record Change(String partition, String id, String name, long ts) {}

  private final Storage storage;
  private final int groupsPerPartition;
  private final MergeMode mode;
  private final ManualClock wall = new ManualClock();
  private final InstantClock clock = new InstantClock(wall, ZoneOffset.UTC);
  private final Map<String, Change> newest = new TreeMap<>();
  private final Set<FileGroupId> begun = new HashSet<>();
  private final TableConfig config;

  /** Where keys are that a clustering has moved, by {@code partition/id}. */
  private final Map<String, FileGroupId> moved = new HashMap<>();

  private LogBlockFormat blocks = LogBlockFormat.AVRO;
  private int generation;
  private int flushes;

  private MorTable(Storage storage, int groupsPerPartition, MergeMode mode) throws IOException {
    this.storage = storage;
    this.groupsPerPartition = groupsPerPartition;
    this.mode = mode;
    this.config =
        TableConfigStore.create(
            storage,
            TableConfig.newTable("t", TableType.MERGE_ON_READ)
                .recordKeyFields("id")
                .partitionFields("p")
                .orderingField("ts")
                .mergeMode(mode)
                .createSchema(AvroSchemas.toAvro(ROW_TYPE, "t").toString())
                .build());
  }

  /** A new table. */
  public static MorTable create(Storage storage, int groupsPerPartition, MergeMode mode)
      throws IOException {
    return new MorTable(storage, groupsPerPartition, mode);
  }

  /** A wall clock that only moves when it is told to. */
  public static final class ManualClock implements InstantSource {
    private long millis = 1_767_225_600_000L;

    public void advanceMillis(long by) {
      millis += by;
    }

    @Override
    public java.time.Instant instant() {
      return java.time.Instant.ofEpochMilli(millis);
    }
  }

  /** How log blocks are written from now on. */
  public void blocks(LogBlockFormat format) {
    blocks = format;
  }

  public ManualClock wall() {
    return wall;
  }

  /** The clock that commits take their times from. */
  public InstantClock clock() {
    return clock;
  }

  public TableConfig config() {
    return config;
  }

  /** As it is now. */
  public HudiTable open() throws IOException {
    return HudiTable.open(storage);
  }

  public static Change upsert(String partition, String id, String name, long ts) {
    return new Change(partition, id, name, ts);
  }

  public static Change delete(String partition, String id, long ts) {
    return new Change(partition, id, null, ts);
  }

  /** One commit; a second passes. */
  public InstantTime commit(Change... changes) throws IOException {
    return commit(List.of(changes));
  }

  public InstantTime commit(List<Change> changes) throws IOException {
    wall.advanceMillis(1_000);
    TableCommit commit = new TableCommit(storage, config, clock);
    InstantTime instant = commit.begin(Action.DELTA_COMMIT);
    CommitOutcome outcome = commit.commit(instant, metadata(write(instant, changes)));
    if (outcome != CommitOutcome.COMMITTED) {
      throw new IOException(instant + " is " + outcome);
    }
    return instant;
  }

  public static CommitMetadata metadata(List<WriteStat> stats) {
    return CommitMetadata.ofWrite(
        CommitMetadata.UPSERT,
        stats,
        Map.of(
            CommitMetadata.SCHEMA, AvroSchemas.toAvro(ROW_TYPE, "t").toString(),
            CommitMetadata.SUPERSEDED_DROPPED, "true",
            CommitMetadata.KEYS_MOVED, "false"));
  }

  /** The files of a commit that is begun, and not completed here. */
  public List<WriteStat> write(InstantTime instant, List<Change> changes) throws IOException {
    Map<FileGroupId, Map<String, Change>> byGroup = new TreeMap<>();
    for (Change change : changes) {
      String key = change.partition() + "/" + change.id();
      Change older = newest.get(key);
      if (older != null && mode == MergeMode.EVENT_TIME_ORDERING && older.ts() > change.ts()) {
        continue;
      }
      newest.put(key, change);
      byGroup.computeIfAbsent(group(change), id -> new TreeMap<>()).put(change.id(), change);
    }
    RowFormat format =
        new RowFormat(storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 1 << 20, blocks);
    SequenceNumbers sequence = new SequenceNumbers(instant, 0);
    List<WriteStat> stats = new ArrayList<>();
    for (Map.Entry<FileGroupId, Map<String, Change>> entry : byGroup.entrySet()) {
      stats.addAll(write(instant, format, sequence, entry.getKey(), entry.getValue().values()));
    }
    return stats;
  }

  /** After a clustering: where each key is now, as a writer that starts anew looks it up. */
  public void lookUpKeys() throws IOException {
    HudiTable table = open();
    moved.clear();
    generation++;
    IndexScanner scanner = new IndexScanner(table.readContext());
    for (ScanSplit split : IndexScanner.planAll(table)) {
      begun.add(split.groupId());
      scanner.scan(
          split,
          entry ->
              moved.put(
                  split.groupId().partitionPath()
                      + "/"
                      + new String(entry.recordKey(), StandardCharsets.UTF_8),
                  split.groupId()));
    }
  }

  private FileGroupId group(Change change) {
    FileGroupId known = moved.get(change.partition() + "/" + change.id());
    if (known != null) {
      return known;
    }
    int number = Math.floorMod(change.id().hashCode(), groupsPerPartition);
    return new FileGroupId(
        change.partition(),
        FileId.of(
            UUID.nameUUIDFromBytes(
                (change.partition() + number + (generation == 0 ? "" : "#" + generation))
                    .getBytes(StandardCharsets.UTF_8))));
  }

  private List<WriteStat> write(
      InstantTime instant,
      RowFormat format,
      SequenceNumbers sequence,
      FileGroupId id,
      Iterable<Change> changes)
      throws IOException {
    String token = "0-0-" + flushes++;
    BaseFileName base = new BaseFileName(id.fileId(), token, instant);
    LogFileName log = new LogFileName(id.fileId(), instant, 1, token);
    boolean isNew = begun.add(id);
    List<WriteMarkers.Marker> markers = new ArrayList<>();
    if (isNew) {
      markers.add(new WriteMarkers.Marker(id.pathOf(base.toString()), WriteMarkers.IoType.CREATE));
    }
    markers.add(new WriteMarkers.Marker(id.pathOf(log.toString()), WriteMarkers.IoType.CREATE));
    new WriteMarkers(storage, instant).add(flushes, markers);
    new PartitionMetadata(storage).ensure(id.partitionPath(), instant);
    FileGroupWriter writer =
        isNew
            ? new BaseFileCreator(format, sequence, id.partitionPath(), base, log)
            : new LogAppender(format, sequence, id.partitionPath(), log);
    AvroRowEncoder encoder = new AvroRowEncoder(ROW_TYPE);
    for (Change change : changes) {
      AvroBuffer buffer = new AvroBuffer();
      buffer.writeRaw(change.id().getBytes(StandardCharsets.UTF_8));
      int keyLength = buffer.size();
      if (change.name() == null) {
        writer.delete(
            buffer.array(),
            0,
            keyLength,
            mode == MergeMode.EVENT_TIME_ORDERING
                ? OrderingValue.ofLong(change.ts())
                : OrderingValue.NONE);
      } else {
        encoder.encode(row(change), buffer);
        writer.upsert(buffer.array(), 0, keyLength, keyLength, buffer.size() - keyLength);
      }
    }
    return writer.finish();
  }

  private static RowData row(Change change) {
    return GenericRowData.of(
        StringData.fromString(change.id()),
        StringData.fromString(change.name()),
        change.ts(),
        StringData.fromString(change.partition()));
  }

  /** The rows that the table must have, sorted: {@code partition/id=name@ts}. */
  public List<String> expectedRows() {
    return newest.values().stream()
        .filter(change -> change.name() != null)
        .map(c -> c.partition() + "/" + c.id() + "=" + c.name() + "@" + c.ts())
        .sorted()
        .toList();
  }

  /** The rows of a snapshot, sorted, in the same form. */
  public List<String> rows() throws IOException {
    HudiTable table = open();
    return rows(table, new ScanPlanner().snapshot(table));
  }

  /** The rows of the base files alone. */
  public List<String> readOptimizedRows() throws IOException {
    HudiTable table = open();
    return rows(table, new ScanPlanner().readOptimized(table));
  }

  /** The rows of some splits, sorted. */
  public static List<String> rows(HudiTable table, List<ScanSplit> splits) throws IOException {
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : splits) {
      try (SplitReader reader = SplitReader.open(table.readContext(), split, ROW_TYPE)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(
              row.getString(3)
                  + "/"
                  + row.getString(0)
                  + "="
                  + row.getString(1)
                  + "@"
                  + row.getLong(2));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  /** The data files of all partitions, sorted. */
  public List<String> dataFiles() throws IOException {
    List<String> files = new ArrayList<>();
    for (String partition : open().view().partitions()) {
      storage.list(partition).stream()
          .filter(file -> !file.name().startsWith(".hoodie"))
          .forEach(file -> files.add(partition + "/" + file.name()));
    }
    files.sort(null);
    return files;
  }
}
