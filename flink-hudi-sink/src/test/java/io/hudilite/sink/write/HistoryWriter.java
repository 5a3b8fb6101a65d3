package io.hudilite.sink.write;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.RowFormat;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.RowType;

/** What a writer does in one checkpoint interval after the other, without Flink. */
public final class HistoryWriter {
  private final WriteBuffer buffer;
  private final Flusher flusher;
  private final List<WriteStat> stats = new ArrayList<>();

  public HistoryWriter(
      Storage storage, TableConfig config, RowType rowType, WriteOperation operation, Path folder) {
    boolean appends = operation.appends();
    RowFormat format = new RowFormat(storage, rowType, "t", BaseFileSettings.DEFAULT, 1 << 16);
    RecordMerger merger = appends ? null : RecordMerger.of(config);
    buffer =
        new WriteBuffer(
            () -> 1 << 20,
            1 << 20,
            merger,
            merger == null || merger.combination() == RecordMerger.Combination.NONE
                ? null
                : new BodyCombiner(merger, rowType, "t"));
    WriterName name = new WriterName(0, 1, 0);
    flusher =
        appends
            ? new AppendFlusher(
                storage,
                format,
                name,
                1 << 20,
                operation.isBulk() ? GroupBuffer.Order.RECORD_KEY : GroupBuffer.Order.ARRIVAL,
                operation.isBulk() ? folder : null)
            : config.type() == TableType.MERGE_ON_READ
                ? new GroupFlusher(storage, format, name, false)
                : new CopyOnWriteFlusher(storage, format, new MergeMemory(1 << 20, folder), name);
  }

  public void begin(InstantTime instant) {
    flusher.begin(instant);
  }

  public void write(HudiRecord record) throws IOException {
    List<GroupBuffer> before = buffer.takeBefore(record);
    if (!before.isEmpty()) {
      stats.addAll(flusher.flush(before));
    }
    buffer.add(record);
  }

  /** The memory is short. */
  public void flush() throws IOException {
    stats.addAll(flusher.flush(buffer.takeAll()));
  }

  /** The end of the interval. */
  public List<WriteStat> end() throws IOException {
    stats.addAll(flusher.finish(buffer.takeAll()));
    List<WriteStat> all = List.copyOf(stats);
    stats.clear();
    flusher.onBarrier();
    return all;
  }
}
