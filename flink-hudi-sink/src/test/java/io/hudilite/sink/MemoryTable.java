package io.hudilite.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.TableCommit;
import io.hudilite.sink.assign.HistoryAssigner;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RowDataToRecord;
import io.hudilite.sink.write.HistoryWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * A table in memory, written by what a job does, without Flink: columns {@code id, ..., p}, key
 * {@code id}, partition {@code p}, ordering column {@code ts} if there is one.
 */
final class MemoryTable {
  /** How file groups are found. */
  enum Index {
    STATE_OF_TABLE,
    STATE_OF_PARTITION,
    BUCKET
  }

  private final RowType rowType;
  private final WriteOperation operation;
  private final Index index;
  private final Path folder;
  private final TableConfig config;
  private final Storage storage = new InMemoryStorage();
  private final MorTable.ManualClock wall = new MorTable.ManualClock();
  private final InstantClock clock = new InstantClock(wall, ZoneOffset.UTC);
  private final RowDataToRecord converter;
  private HistoryWriter writer;
  private HistoryAssigner assigner;

  /**
   * @param payload class of the merge rule; empty for commit time without an ordering column
   * @param folder for what does not fit into the memory
   */
  MemoryTable(
      RowType rowType,
      TableType type,
      String payload,
      Index index,
      WriteOperation operation,
      Path folder)
      throws IOException {
    this(
        rowType,
        type,
        payload,
        index,
        operation,
        folder,
        AvroSchemas.toAvro(rowType, "t").toString());
  }

  /**
   * The same.
   *
   * @param createSchema as the table was made, maybe by another engine
   */
  MemoryTable(
      RowType rowType,
      TableType type,
      String payload,
      Index index,
      WriteOperation operation,
      Path folder,
      String createSchema)
      throws IOException {
    this.rowType = rowType;
    this.operation = operation;
    this.index = index;
    this.folder = folder;
    Map<String, String> properties = new TreeMap<>();
    properties.put(TableConfig.NAME, "t");
    properties.put(TableConfig.TYPE, type.name());
    properties.put(TableConfig.RECORD_KEY_FIELDS, "id");
    properties.put(TableConfig.PARTITION_FIELDS, "p");
    properties.put(TableConfig.CREATE_SCHEMA, createSchema);
    if (!payload.isEmpty()) {
      properties.put(TableConfig.PRECOMBINE_FIELD, "ts");
      properties.put(TableConfig.PAYLOAD_CLASS, payload);
    }
    config = TableConfig.forNewTable(properties, "memory");
    TableConfigStore.create(storage, config);
    converter =
        new RowDataToRecord(
            new TableSchema(
                rowType, List.of("id"), List.of("p"), config.mergeBehavior().orderingFields()),
            KeyFormat.of(config),
            RecordMerger.of(config),
            scope());
    restart();
  }

  private IndexScope scope() {
    return index == Index.STATE_OF_TABLE ? IndexScope.TABLE : IndexScope.PARTITION;
  }

  /** Another job: its index is read from the table. */
  void restart() throws IOException {
    writer = new HistoryWriter(storage, config, rowType, operation, folder);
    if (operation.appends()) {
      assigner = HistoryAssigner.appending();
    } else if (index == Index.BUCKET) {
      assigner = HistoryAssigner.inBuckets(storage, config, 2);
    } else {
      assigner =
          HistoryAssigner.withIndex(
              storage, config, rowType, scope(), operation == WriteOperation.INSERT_DISTINCT);
    }
  }

  /** Says after which rows the memory is short. */
  interface Memory {
    boolean isShortAfter(int row);
  }

  void commit(List<RowData> rows) throws Exception {
    commit(rows, row -> false);
  }

  void commit(List<RowData> rows, Memory memory) throws Exception {
    wall.advanceMillis(1_000);
    TableCommit commit = new TableCommit(storage, config, clock);
    InstantTime instant =
        commit.begin(
            config.type() == TableType.MERGE_ON_READ ? Action.DELTA_COMMIT : Action.COMMIT);
    writer.begin(instant);
    for (int i = 0; i < rows.size(); i++) {
      for (HudiRecord record : assigner.assign(converter.convert(rows.get(i)))) {
        writer.write(record);
      }
      if (memory.isShortAfter(i)) {
        writer.flush();
      }
    }
    assertThat(
            commit.commit(
                instant,
                CommitMetadata.ofWrite(
                    operation.word(),
                    WriteStat.withoutReplaced(writer.end()),
                    Map.of(CommitMetadata.SCHEMA, AvroSchemas.toAvro(rowType, "t").toString()))))
        .isEqualTo(CommitOutcome.COMMITTED);
    assigner.onBarrier();
  }

  /** Nothing in copy-on-write tables. */
  void compact() throws IOException {
    if (config.type() == TableType.MERGE_ON_READ) {
      wall.advanceMillis(1_000);
      Compactions.compact(storage, clock);
    }
  }

  /** The fields of each row, separated by spaces; sorted. */
  List<String> rows() throws IOException {
    HudiTable table = HudiTable.open(storage);
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (RowReader reader = SplitReader.open(table.readContext(), split, rowType)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(text(row));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  private String text(RowData row) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < rowType.getFieldCount(); i++) {
      fields.add(
          String.valueOf(RowData.createFieldGetter(rowType.getTypeAt(i), i).getFieldOrNull(row)));
    }
    return String.join(" ", fields);
  }
}
