package io.hudilite.source;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Passes rows to a {@link Collected} when the checkpoint that holds them is complete, so that rows
 * that a failure takes back never show. On the way it may crash the job once, in the middle of
 * things.
 */
final class ExactlyOnceCollector extends ProcessFunction<RowData, String>
    implements CheckpointedFunction, CheckpointListener {
  private static final long serialVersionUID = 1L;

  private final String name;
  private final RowType rowType;

  /** Crashes with the first row after a checkpoint that holds some row, if {@link Crash} says. */
  private final boolean crashes;

  private transient ListState<String> state;
  private transient List<String> fresh;
  private transient TreeMap<Long, List<String>> batches;
  private transient boolean checkpointHoldsRows;

  ExactlyOnceCollector(String name, RowType rowType, boolean crashes) {
    this.name = name;
    this.rowType = rowType;
    this.crashes = crashes;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    fresh = new ArrayList<>();
    batches = new TreeMap<>();
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("rows", Types.STRING));
    for (String batch : state.get()) {
      publish(batch);
    }
  }

  @Override
  public void processElement(
      RowData row, Context context, org.apache.flink.util.Collector<String> out) {
    if (crashes && Crash.of(name).isDue()) {
      Crash.of(name).slowDown();
      if (checkpointHoldsRows) {
        Crash.of(name).happened();
        throw new IllegalStateException("Crash on purpose");
      }
    }
    fresh.add(Collected.text(row, rowType));
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    if (!fresh.isEmpty()) {
      String batch = UUID.randomUUID() + "\n" + String.join("\n", fresh);
      batches.computeIfAbsent(context.getCheckpointId(), id -> new ArrayList<>()).add(batch);
      fresh = new ArrayList<>();
    }
    List<String> all = new ArrayList<>();
    batches.values().forEach(all::addAll);
    state.update(all);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    List<List<String>> done = new ArrayList<>(batches.headMap(checkpointId, true).values());
    batches.headMap(checkpointId, true).clear();
    done.forEach(list -> list.forEach(this::publish));
    checkpointHoldsRows |= !done.isEmpty();
  }

  private void publish(String batch) {
    List<String> lines = List.of(batch.split("\n"));
    Collected.of(name).addBatch(lines.get(0), lines.subList(1, lines.size()));
  }
}
