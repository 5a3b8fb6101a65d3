package io.hudilite.source.order;

import io.hudilite.source.split.Ticks;
import io.hudilite.source.split.Turn;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.TimestampAssigner;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.apache.flink.streaming.runtime.watermarkstatus.WatermarkStatus;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;

/**
 * The operator {@code key_order} behind a staged read: leaves out rows that a newer row of their
 * key has overtaken, see {@link KeyOrder}. State is kept for keys of which rows may be under way
 * only. Behind it timestamps and watermarks are event times again: when a stage is over, the
 * watermark that all its rows made goes on, the same in all subtasks, behind all these rows.
 */
public final class KeyOrderOperator extends AbstractStreamOperator<RowData>
    implements OneInputStreamOperator<RowData, RowData>, Triggerable<RowData, VoidNamespace> {
  private static final long serialVersionUID = 1L;

  /** How the rows of a key come to one subtask. */
  public enum Input {
    /** They need not: no row can be overtaken. */
    ANY,
    BY_KEY,
    /** From one reader to one subtask; other parallelisms are refused. */
    ONE_TO_ONE
  }

  private final Input input;
  private final boolean isKeyed;
  @Nullable private final WatermarkStrategy<RowData> watermarks;
  @Nullable private final int[] columns;

  private transient ValueState<Long> newest;
  private transient InternalTimerService<VoidNamespace> timers;

  private transient ListState<Long> rememberedState;

  /** The newest timestamp that was ever remembered. */
  private transient long rememberedUpTo;

  private transient long reached;
  private transient long eventTime;
  private transient Counter overtaken;
  @Nullable private transient TimestampAssigner<RowData> timestamps;
  @Nullable private transient ProjectedRowData projected;

  /** Null if whoever is behind waits for this read however quiet it is. */
  @Nullable private transient Idleness idleness;

  private transient boolean isIdle;

  /**
   * @param watermarks null if the rows make none
   * @param columns the ones to pass on, null for all
   */
  public KeyOrderOperator(
      Input input, @Nullable WatermarkStrategy<RowData> watermarks, @Nullable int[] columns) {
    this.input = input;
    this.isKeyed = input != Input.ANY;
    this.watermarks = watermarks;
    this.columns = columns == null ? null : columns.clone();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    if (isKeyed) {
      newest =
          context
              .getKeyedStateStore()
              .getState(new ValueStateDescriptor<>("newest-turn", LongSerializer.INSTANCE));
    }
    rememberedState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("remembered-up-to", LongSerializer.INSTANCE));
    rememberedUpTo = Long.MIN_VALUE;
    for (Long upTo : rememberedState.get()) {
      rememberedUpTo = Math.max(rememberedUpTo, upTo);
    }
    reached = Long.MIN_VALUE;
    eventTime = 0;
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    rememberedState.update(List.of(rememberedUpTo));
  }

  @Override
  public void open() throws Exception {
    super.open();
    int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    if (input == Input.ONE_TO_ONE && subtasks > 1) {
      throw new IllegalStateException(
          "The read was planned for one reader, but runs with %d: its rows would get out of order. Set the parallelism of the source itself, as with 'read.tasks'."
              .formatted(subtasks));
    }
    overtaken = getMetricGroup().counter("rowsOvertaken");
    if (isKeyed) {
      timers = getInternalTimerService("turns", VoidNamespaceSerializer.INSTANCE, this);
    }
    if (watermarks != null) {
      timestamps = watermarks.createTimestampAssigner(this::getMetricGroup);
      idleness = Idleness.of(watermarks, getMetricGroup());
    }
    if (idleness != null) {
      askWhetherIdle();
    }
    if (columns != null) {
      projected = ProjectedRowData.from(columns);
    }
  }

  private void askWhetherIdle() {
    ProcessingTimeService time = getProcessingTimeService();
    time.registerTimer(
        time.getCurrentProcessingTime()
            + Math.max(1, getExecutionConfig().getAutoWatermarkInterval()),
        now -> {
          if (idleness != null && idleness.isQuiet() && !isIdle) {
            isIdle = true;
            output.emitWatermarkStatus(WatermarkStatus.IDLE);
          }
          askWhetherIdle();
        });
  }

  private void beActive() {
    if (isIdle) {
      isIdle = false;
      output.emitWatermarkStatus(WatermarkStatus.ACTIVE);
    }
  }

  /** Most rows need no key: it is set when it is asked for. */
  @Override
  public void setKeyContextElement1(StreamRecord element) throws Exception {
    if (isKeyed && needsKey(element.getTimestamp())) {
      super.setKeyContextElement1(element);
    }
  }

  private boolean needsKey(long timestamp) {
    return rememberedUpTo > reached || KeyOrder.mayOvertake(timestamp, reached);
  }

  @Override
  public void processElement(StreamRecord<RowData> element) throws Exception {
    long timestamp = element.getTimestamp();
    if (isKeyed && needsKey(timestamp) && !pass(timestamp)) {
      overtaken.inc();
      return;
    }
    RowData row = element.getValue();
    long rowTime =
        timestamps == null ? Long.MIN_VALUE : timestamps.extractTimestamp(row, Long.MIN_VALUE);
    if (idleness != null) {
      idleness.onRow(row, rowTime);
      beActive();
    }
    if (projected != null) {
      row = projected.replaceRow(row);
    }
    if (rowTime == Long.MIN_VALUE) {
      element.replace(row);
      element.eraseTimestamp();
    } else {
      element.replace(row, rowTime);
    }
    output.collect(element);
  }

  private boolean pass(long timestamp) throws Exception {
    Long before = newest.value();
    if (KeyOrder.isOvertaken(before, timestamp)) {
      return false;
    }
    if (KeyOrder.isRemembered(before, timestamp, reached)) {
      newest.update(timestamp);
      rememberedUpTo = Math.max(rememberedUpTo, timestamp);
      timers.registerEventTimeTimer(VoidNamespace.INSTANCE, timestamp);
    }
    return true;
  }

  /** All rows up to this turn have arrived. */
  @Override
  public void onEventTime(InternalTimer<RowData, VoidNamespace> timer) throws Exception {
    Long now = newest.value();
    if (now != null && now <= timer.getTimestamp()) {
      newest.clear();
    }
  }

  @Override
  public void onProcessingTime(InternalTimer<RowData, VoidNamespace> timer) {
    throw new IllegalStateException("There are no such timers, but one rang: " + timer);
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (getTimeServiceManager().isPresent()) {
      getTimeServiceManager().get().advanceWatermark(mark);
    }
    reached = mark.getTimestamp();
    if (mark.getTimestamp() == Long.MAX_VALUE) {
      beActive();
      output.emitWatermark(mark);
      return;
    }
    long millis = Ticks.watermarkMillis(Turn.tickAfter(mark.getTimestamp()));
    if (watermarks != null && millis > eventTime) {
      eventTime = millis;
      beActive();
      output.emitWatermark(new Watermark(millis));
    }
  }
}
