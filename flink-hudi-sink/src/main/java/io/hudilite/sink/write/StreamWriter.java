package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.ReplacedGroupGuard;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.WriteMarkers;
import io.hudilite.sink.commit.CommitTiming;
import io.hudilite.sink.commit.Messages;
import io.hudilite.sink.commit.WriteReport;
import io.hudilite.sink.commit.WriteReportCodec;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.annotation.Nullable;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.IntSerializer;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
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

  private static final long RESTORED_POLL_MILLIS = 20;

  private final transient WriteSettings settings;
  private final transient OperatorEventGateway events;
  private final transient MailboxExecutor mailbox;

  private transient CoordinatorClient coordinator;
  private transient ListState<byte[]> reportState;

  /** The instants of the reports of all writers. */
  private transient ListState<String> openState;

  /** One mark of each writer, so that each of a restored job sees some, also one that is added. */
  private transient ListState<Integer> startedState;

  private transient List<WriteReport> unacknowledged;

  /** Instants that were open in the state this job began from; none once they were waited for. */
  private transient List<InstantTime> restored;

  private transient WriteBuffer buffer;
  private transient Flusher flusher;

  /** Null where no clustering takes file groups that are written to. */
  @Nullable private transient ReplacedGroupGuard guard;

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
    openState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("hudi-open-instants", StringSerializer.INSTANCE));
    restored = new ArrayList<>();
    for (String open : openState.get()) {
      restored.add(new InstantTime(open));
    }
    startedState =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("hudi-writers-started", IntSerializer.INSTANCE));
    boolean isRestored = context.isRestored() || startedState.get().iterator().hasNext();
    WriterMemory.join();
    sharesMemory = true;
    int slots =
        getContainingTask()
            .getEnvironment()
            .getTaskManagerInfo()
            .getConfiguration()
            .get(TaskManagerOptions.NUM_TASK_SLOTS);
    long wantedBytes = settings.config().taskMaxSize().getBytes();
    RecordMerger merger = appends() ? null : RecordMerger.of(settings.table().config());
    buffer =
        new WriteBuffer(
            () -> WriterMemory.bufferBytes(slots, wantedBytes),
            settings.config().batchSize().getBytes(),
            merger,
            merger == null || merger.combination() == RecordMerger.Combination.NONE
                ? null
                : new BodyCombiner(merger, settings.rowType(), settings.tableName()));
    flusher = newFlusher(task, WriterMemory.bufferBytes(slots, wantedBytes), isRestored);
    boolean writesToGroups = !appends() || fillsSmallFiles();
    if (writesToGroups && settings.config().index() != IndexKind.BUCKET) {
      guard =
          new ReplacedGroupGuard(
              Storages.of(settings.path()),
              settings.table().config(),
              settings.updates(),
              TimeUnit.MILLISECONDS::sleep);
    }
    writeMetrics = new WriteMetrics(getMetricGroup(), buffer);
    for (byte[] report : encode(unacknowledged)) {
      events.sendEventToCoordinator(new Messages.Restored(report));
    }
    events.sendEventToCoordinator(new Messages.Resume(epoch, unacknowledged.size()));
  }

  private Flusher newFlusher(TaskInfo task, long bufferBytes, boolean isRestored) {
    Storage storage = Storages.of(settings.path());
    SinkConfig config = settings.config();
    RowFormat format =
        new RowFormat(
            storage,
            settings.rowType(),
            settings.tableName(),
            BaseFileSettings.DEFAULT
                .withCompression(config.compression())
                .withRowGroupBytes(
                    WriterMemory.rowGroupBytes(
                        bufferBytes, config.parquetRowGroupSize().getBytes()))
                .withPageBytes(
                    (int) Math.min(config.parquetPageSize().getBytes(), Integer.MAX_VALUE - 8)),
            WriterMemory.logBlockBytes(bufferBytes, config.logBlockSize().getBytes()),
            config.logBlockFormat());
    WriterName name = new WriterName(subtask, task.getNumberOfParallelSubtasks(), attempt);
    if (fillsSmallFiles()) {
      return new SmallFileFlusher(
          storage, format, name, config.maxFileSize().getBytes(), localFolder());
    }
    if (appends()) {
      return new AppendFlusher(
          storage,
          format,
          name,
          config.maxFileSize().getBytes(),
          switch (config.bulkOrder()) {
            case ARRIVAL -> GroupBuffer.Order.ARRIVAL;
            case RECORD_KEY -> GroupBuffer.Order.RECORD_KEY;
          },
          config.operation().isBulk() ? localFolder() : null);
    }
    return switch (settings.tableType()) {
      case MERGE_ON_READ -> new GroupFlusher(storage, format, name, isRestored);
      case COPY_ON_WRITE -> {
        MergeMemory memory =
            new MergeMemory(
                WriterMemory.rowGroupBytes(bufferBytes, config.mergeMemory().getBytes()),
                localFolder());
        yield new CopyOnWriteFlusher(storage, format, memory, name);
      }
    };
  }

  /** In buckets a key has its file group, also if rows are only added. */
  private boolean appends() {
    return settings.config().operation().appends() && settings.config().index() != IndexKind.BUCKET;
  }

  private boolean fillsSmallFiles() {
    return settings.config().fillsSmallFiles(settings.tableType());
  }

  private Path localFolder() {
    String[] folders =
        getContainingTask().getEnvironment().getIOManager().getSpillingDirectoriesPaths();
    return Path.of(folders[subtask % folders.length]);
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
    List<GroupBuffer> before = buffer.takeBefore(record);
    if (!before.isEmpty()) {
      flush(before);
    }
    buffer.add(record);
    writeMetrics.onRow(record.bytes().length);
    List<GroupBuffer> overfull = buffer.takeOverfull();
    if (!overfull.isEmpty()) {
      flush(overfull);
    }
  }

  private void flush(List<GroupBuffer> groups) throws IOException, InterruptedException {
    if (begin()) {
      long begin = System.nanoTime();
      List<WriteStat> written = flusher.flush(groups);
      buffer.release(groups);
      stats.addAll(written);
      requireOpen();
      requireLive(written);
      writeMetrics.onFlush(System.nanoTime() - begin, written);
    }
  }

  /** Writes all that is left of the interval. */
  private void flushRest() throws IOException, InterruptedException {
    if ((!buffer.isEmpty() || flusher.hasUnfinished()) && begin()) {
      long begin = System.nanoTime();
      awaitRestored();
      List<GroupBuffer> rest = buffer.takeAll();
      List<WriteStat> written = flusher.finish(rest);
      buffer.release(rest);
      stats.addAll(written);
      requireOpen();
      requireLive(written);
      writeMetrics.onFlush(System.nanoTime() - begin, written);
    }
  }

  /**
   * If this attempt hung so long that it was given up and its instant decided without it, its files
   * would be visible by their names, and yet be no part of the commit.
   */
  private void requireOpen() throws IOException {
    Storage storage = Storages.of(settings.path());
    if (stats.isEmpty() || new WriteMarkers(storage, instant).areOpen()) {
      return;
    }
    for (WriteStat stat : stats) {
      storage.delete(stat.path());
    }
    throw new IOException(
        "Instant %s of '%s' was decided while attempt %d of writer %d wrote to it: the attempt was given up, and has taken its %d files back"
            .formatted(instant, settings.path(), attempt, subtask, stats.size()));
  }

  /**
   * A clustering that saw no marker of these files may have taken their groups away, and then they
   * would be lost.
   */
  private void requireLive(List<WriteStat> written) throws IOException, InterruptedException {
    if (guard != null) {
      Set<FileGroupId> groups = new HashSet<>();
      written.forEach(
          stat -> groups.add(new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()))));
      guard.requireLive(groups);
    }
  }

  /**
   * What is rewritten now must have in it what the writers of the state wrote, which one of them
   * may tell the coordinator of only now.
   */
  private void awaitRestored() throws IOException, InterruptedException {
    if (restored.isEmpty() || settings.tableType() != TableType.COPY_ON_WRITE) {
      return;
    }
    HudiTable table = HudiTable.open(Storages.of(settings.path()));
    while (restored.stream().anyMatch(isPendingOn(table.timeline()))) {
      coordinator.ask(new Messages.AwaitRequest(subtask, attempt, restored));
      TimeUnit.MILLISECONDS.sleep(RESTORED_POLL_MILLIS);
      table = table.refresh();
    }
    restored = List.of();
  }

  private static Predicate<InstantTime> isPendingOn(Timeline timeline) {
    return time -> timeline.pending(time).isPresent();
  }

  /** False if nothing is to be written any more. */
  private boolean begin() throws IOException, InterruptedException {
    if (isDone) {
      return false;
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
        return false;
      }
    }
    return true;
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    flushRest();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    long checkpoint = context.getCheckpointId();
    WriteReport report = endInterval(checkpoint);
    reportState.update(encode(unacknowledged));
    openState.update(
        unacknowledged.stream()
            .flatMap(open -> open.instant().stream())
            .map(InstantTime::digits)
            .toList());
    startedState.update(List.of(subtask));
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
      if (settings.config().operation().overwrites() && subtask == 0) {
        begin(); // what is replaced is gone also if there are no rows
      }
      flushRest();
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
    if (flusher != null) {
      flusher.close();
    }
    super.close();
  }
}
