package io.hudilite.source.read;

import io.hudilite.core.storage.Storage;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.SplitsFinished;
import io.hudilite.source.split.Stage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.base.source.reader.SingleThreadMultiplexSourceReaderBase;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.metrics.Counter;
import org.apache.flink.table.data.RowData;

/**
 * The reader in a task: asks for splits when it has none, tells when they are finished, and keeps
 * them in its state. Task thread.
 */
@SuppressWarnings("try") // close() of the class above throws Exception
public final class HudiSourceReader
    extends SingleThreadMultiplexSourceReaderBase<RowData, RowData, HudiSplit, SplitProgress> {
  private final Map<String, Stage> restored = new HashMap<>();
  private boolean started;
  @Nullable private OneOutput output;

  HudiSourceReader(
      Supplier<SplitReader<RowData, HudiSplit>> splitReader, SourceReaderContext context) {
    super(splitReader, new RowEmitter(), context.getConfiguration(), context);
  }

  /** A reader of the table's files. */
  public static HudiSourceReader of(
      SourceConfig config, Storage storage, SourceReaderContext context) {
    Counter bytesRead = context.metricGroup().getIOMetricGroup().getNumBytesInCounter();
    TableSplits opener = new TableSplits(new MeteredStorage(storage, bytesRead), config.rowType());
    return new HudiSourceReader(() -> new HudiSplitReader(opener, config.rowType()), context);
  }

  /** Flink calls this before {@link #start} with the splits from state, later with new ones. */
  @Override
  public void addSplits(List<HudiSplit> splits) {
    if (!started) {
      splits.forEach(split -> restored.put(split.splitId(), split.stage()));
    }
    super.addSplits(splits);
  }

  @Override
  public void start() {
    started = true;
    super.start();
    context.sendSourceEventToCoordinator(new ReaderStarted(restored));
    if (restored.isEmpty()) {
      context.sendSplitRequest();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<RowData> to) throws Exception {
    if (output == null || !output.isOf(to)) {
      output = new OneOutput(to);
    }
    return super.pollNext(output);
  }

  @Override
  protected void onSplitFinished(Map<String, SplitProgress> finished) {
    context.sendSourceEventToCoordinator(new SplitsFinished(finished.keySet()));
    if (getNumberOfCurrentlyAssignedSplits() == 0) {
      context.sendSplitRequest();
    }
  }

  @Override
  protected SplitProgress initializedState(HudiSplit split) {
    return new SplitProgress(split);
  }

  @Override
  protected HudiSplit toSplitType(String splitId, SplitProgress progress) {
    return progress.toSplit();
  }
}
