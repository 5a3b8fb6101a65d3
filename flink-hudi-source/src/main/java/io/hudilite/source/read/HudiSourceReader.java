package io.hudilite.source.read;

import io.hudilite.core.storage.Storage;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.ReaderStarted.Held;
import io.hudilite.source.split.SplitsFinished;
import io.hudilite.source.split.TickReached;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
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
  private final RowEmitter emitter;
  private final TickOutput ticks;

  /** Whether this reader will never have anything to read. */
  private final boolean isSpare;

  /** Whether event time means nothing before the end. */
  private final boolean isBounded;

  private final Map<String, Held> restored = new HashMap<>();
  private boolean started;
  @Nullable private OneOutput output;

  /** Of a staged read: the newest word of the enumerator, if it is not passed on yet. */
  @Nullable private TickReached reached;

  HudiSourceReader(
      Supplier<SplitReader<RowData, HudiSplit>> splitReader,
      RowEmitter emitter,
      TickOutput ticks,
      boolean isSpare,
      boolean isBounded,
      SourceReaderContext context) {
    super(splitReader, emitter, context.getConfiguration(), context);
    this.emitter = emitter;
    this.ticks = ticks;
    this.isSpare = isSpare;
    this.isBounded = isBounded;
  }

  /** A reader of the table's files. */
  public static HudiSourceReader of(
      SourceConfig config, Storage storage, SourceReaderContext context) {
    Counter bytesRead = context.metricGroup().getIOMetricGroup().getNumBytesInCounter();
    TableSplits opener = TableSplits.of(config, new MeteredStorage(storage, bytesRead));
    RowWatermarks watermarks =
        config.isStaged() && config.watermarks() != null
            ? new RowWatermarks(config.watermarks(), context.metricGroup())
            : null;
    return new HudiSourceReader(
        () -> new HudiSplitReader(opener, config.outputType(), config.usableHints().limit()),
        new RowEmitter(config.isStaged(), watermarks),
        TickOutput.of(config),
        !config.mode().isBounded()
            && config.order() == RowOrder.ONE_READER
            && context.getIndexOfSubtask() > 0,
        config.mode().isBounded() && !config.isStaged(),
        context);
  }

  /** Flink calls this before {@link #start} with the splits from state, later with new ones. */
  @Override
  public void addSplits(List<HudiSplit> splits) {
    if (!started) {
      splits.forEach(split -> restored.put(split.splitId(), Held.of(split)));
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
      output = isBounded ? OneOutput.untilTheEnd(to) : OneOutput.of(to);
      if (isSpare) {
        output.markIdle(); // or watermarks of others would wait for this reader
      }
      passOnTick();
    }
    return super.pollNext(output);
  }

  /** Also task thread. */
  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof TickReached tick) {
      reached = tick;
      passOnTick();
    } else {
      super.handleSourceEvents(event);
    }
  }

  private void passOnTick() {
    if (output != null && reached != null) {
      ticks.emit(reached.tick(), output);
      reached = null;
    }
  }

  @Override
  protected void onSplitFinished(Map<String, SplitProgress> finished) {
    long watermark = emitter.watermarkMillis();
    for (SplitProgress progress : finished.values()) {
      watermark = Math.max(watermark, progress.formerWatermarkMillis());
    }
    context.sendSourceEventToCoordinator(new SplitsFinished(finished.keySet(), watermark));
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
    return progress.toSplit(emitter.watermarkMillis());
  }
}
