package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.sink.commit.CommitTiming;
import io.hudilite.sink.commit.Messages;
import io.hudilite.sink.commit.WriteReport;
import io.hudilite.sink.commit.WriteReportCodec;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator {@code stream_writer}: buffers records by file group, flushes them under the instant
 * of the current checkpoint interval, and reports at each barrier. Its state are the reports whose
 * instants are not known to be committed. Emits nothing.
 *
 * <p>At the end of a bounded input it waits until its last rows are visible, so that a job that is
 * FINISHED has written all.
 */
public final class StreamWriter extends AbstractStreamOperator<HudiRecord>
    implements OneInputStreamOperator<HudiRecord, HudiRecord>, BoundedOneInput {
  private static final long serialVersionUID = 1L;

  /** Not the inherited one, which counts as Flink's own in log settings. */
  private static final Logger OWN_LOG = LoggerFactory.getLogger(StreamWriter.class);

  private final transient WriteSettings settings;
  private final transient OperatorEventGateway events;
  private final transient MailboxExecutor mailbox;

  private transient CoordinatorClient coordinator;
  private transient ListState<byte[]> reportState;
  private transient List<WriteReport> unacknowledged;
  private transient WriteBuffer buffer;
  private transient GroupFlusher flusher;
  private transient WriteMetrics writeMetrics;
  private transient int subtask;
  private transient int attempt;
  private transient String job;

  /** Checkpoint whose barrier began this interval. */
  private transient long epoch;

  /** Null until something is flushed in this interval. */
  @Nullable private transient InstantTime instant;

  private transient List<WriteStat> stats;

  /** Whether a record of this interval was marked so. */
  private transient boolean keysMoved;

  private transient boolean isAtEnd;

  /** Whether it is counted among those that share the heap. */
  private transient boolean sharesMemory;

  /** Whether this run is in the table already, so that its rows are not needed again. */
  private transient boolean isDone;

  StreamWriter(StreamOperatorParameters<HudiRecord> parameters, WriteSettings settings) {
    this.settings = requireNonNull(settings, "settings");
    setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
    this.processingTimeService = parameters.getProcessingTimeService();
    this.mailbox = parameters.getMailboxExecutor();
    this.events =
        parameters
            .getOperatorEventDispatcher()
            .getOperatorEventGateway(parameters.getStreamConfig().getOperatorID());
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    subtask = task.getIndexOfThisSubtask();
    attempt = task.getAttemptNumber();
    job = getRuntimeContext().getJobInfo().getJobName();
    epoch = context.getRestoredCheckpointId().orElse(-1);
    stats = new ArrayList<>();
    coordinator =
        new CoordinatorClient(
            getContainingTask().getEnvironment().getOperatorCoordinatorEventGateway(),
            getOperatorID());
    reportState =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(
                    "hudi-write-reports", BytePrimitiveArraySerializer.INSTANCE));
    unacknowledged = new ArrayList<>();
    for (byte[] report : reportState.get()) {
      unacknowledged.add(WriteReportCodec.decode(report));
    }
    WriterMemory.join();
    sharesMemory = true;
    int slots =
        getContainingTask()
            .getEnvironment()
            .getTaskManagerInfo()
            .getConfiguration()
            .get(TaskManagerOptions.NUM_TASK_SLOTS);
    long wantedBytes = settings.config().taskMaxSize().getBytes();
    buffer =
        new WriteBuffer(
            () -> WriterMemory.bufferBytes(slots, wantedBytes),
            settings.config().batchSize().getBytes(),
            RecordMerger.of(settings.mergeMode()));
    flusher =
        new GroupFlusher(
            settings,
            Storages.of(settings.path()),
            WriterMemory.bufferBytes(slots, wantedBytes),
            subtask,
            task.getNumberOfParallelSubtasks(),
            attempt,
            context.isRestored());
    writeMetrics = new WriteMetrics(getMetricGroup(), buffer);
    for (byte[] report : encode(unacknowledged)) {
      events.sendEventToCoordinator(new Messages.Restored(report));
    }
    events.sendEventToCoordinator(new Messages.Resume(epoch, unacknowledged.size()));
  }

  private static List<byte[]> encode(List<WriteReport> reports) {
    return reports.stream().map(WriteReportCodec::encode).toList();
  }

  @Override
  public void processElement(StreamRecord<HudiRecord> element) throws Exception {
    if (isDone) {
      return;
    }
    HudiRecord record = element.getValue();
    keysMoved |= record.isMoved();
    buffer.add(record);
    writeMetrics.onRow(record.bytes().length);
    List<GroupBuffer> overfull = buffer.takeOverfull();
    if (!overfull.isEmpty()) {
      flush(overfull);
    }
  }

  private void flush(List<GroupBuffer> groups) throws IOException, InterruptedException {
    if (groups.isEmpty() || isDone) {
      return;
    }
    if (instant == null) {
      Messages.Reply reply = coordinator.ask(new Messages.InstantRequest(subtask, attempt, epoch));
      if (reply instanceof Messages.Reply.Begun begun) {
        instant = begun.instant();
        flusher.begin(instant);
      } else {
        OWN_LOG.info(
            "This run is in '{}' already; its rows are not written again", settings.path());
        isDone = true;
        return;
      }
    }
    long begin = System.nanoTime();
    stats.addAll(flusher.flush(groups));
    writeMetrics.onFlush(System.nanoTime() - begin);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    flush(buffer.takeAll());
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    long checkpoint = context.getCheckpointId();
    WriteReport report = endInterval(checkpoint);
    reportState.update(encode(unacknowledged));
    events.sendEventToCoordinator(new Messages.Report(WriteReportCodec.encode(report)));
  }

  private WriteReport endInterval(long checkpoint) {
    WriteReport report =
        new WriteReport(
            settings.run(),
            job,
            subtask,
            attempt,
            checkpoint,
            epoch,
            Optional.ofNullable(instant),
            stats,
            keysMoved,
            isAtEnd);
    if (instant != null) {
      unacknowledged.add(report);
    }
    epoch = checkpoint;
    instant = null;
    stats = new ArrayList<>();
    keysMoved = false;
    flusher.onBarrier();
    return report;
  }

  @Override
  public void endInput() throws Exception {
    isAtEnd = true;
    if (settings.timing() == CommitTiming.AT_END) {
      flush(buffer.takeAll());
      WriteReport report = endInterval(WriteReport.END_OF_INPUT);
      coordinator.ask(new Messages.EndRequest(WriteReportCodec.encode(report)));
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    List<InstantTime> open =
        unacknowledged.stream()
            .filter(report -> report.checkpoint() <= checkpointId)
            .flatMap(report -> report.instant().stream())
            .toList();
    if (open.isEmpty() || settings.timing() != CommitTiming.PER_CHECKPOINT) {
      return;
    }
    Messages.AwaitRequest request = new Messages.AwaitRequest(subtask, attempt, open);
    if (isAtEnd) {
      coordinator.ask(request);
      forget(open);
    } else {
      coordinator.askOnce(request, () -> mailbox.execute(() -> forget(open), "forget " + open));
    }
  }

  /** These instants are visible, so nobody needs their reports any more. */
  private void forget(List<InstantTime> committed) {
    unacknowledged.removeIf(report -> report.instant().filter(committed::contains).isPresent());
  }

  @Override
  public void close() throws Exception {
    if (sharesMemory) {
      sharesMemory = false;
      WriterMemory.leave();
    }
    super.close();
  }
}
