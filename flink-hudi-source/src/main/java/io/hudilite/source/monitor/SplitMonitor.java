package io.hudilite.source.monitor;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.SplitsFinished;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.TickReached;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import javax.annotation.Nullable;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.connector.source.SplitsAssignment;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.connector.source.DynamicFilteringEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the table for new splits and carries out what {@link SplitAssigner} decides. The table is
 * looked at on Flink's I/O thread only; every other method runs on the coordinator thread.
 *
 * <p>The next range is planned when all splits of the one before are handed out, so a slow reader
 * gets fewer and larger ranges, and the state stays small.
 */
public final class SplitMonitor implements SplitEnumerator<HudiSplit, MonitorState> {
  private static final Logger LOG = LoggerFactory.getLogger(SplitMonitor.class);

  /** Looks at the table that may fail one after the other before the job fails. */
  static final int MAX_FAILED_LOOKS = 3;

  /** How often the lease of the read is renewed. */
  private static final Duration RENEWAL = ReaderLeaseStore.DEFAULT_LIFE.dividedBy(5);

  /** Older rows first, as far as one reader goes. */
  private static final Comparator<ScanSplit> BY_AGE =
      Comparator.comparing(SplitMonitor::firstInstant).thenComparing(ScanSplit::groupId);

  private final SplitEnumeratorContext<HudiSplit> context;
  private final ReadMode mode;
  private final boolean isStaged;
  private final String location;
  private final Discovery discovery;
  private final SplitAssigner assigner;
  private final ReadLag lag;

  @Nullable private InstantTime position;
  private long nextRange;
  private int failedLooks;

  /** Whether a continuous read has come to its end. */
  private boolean isOver;

  /** Whether the next range is to be planned as soon as the last one is handed out. */
  private boolean goesOn;

  /** Of a bounded read: whether the look at the table is under way or done. */
  private boolean hasLooked;

  /** What each reader was told last; those that began anew know nothing. */
  private final Map<Integer, Long> toldTick = new HashMap<>();

  /** What the next look is to do: written by the coordinator thread, read by the I/O thread. */
  private volatile Question question;

  private volatile long splitsPending;

  private final NeededPosition needed = new NeededPosition();

  /** Whether nothing more will be read, and that was said. */
  private boolean hasEnded;

  private SplitMonitor(
      SplitEnumeratorContext<HudiSplit> context,
      ReadMode mode,
      RowOrder order,
      String location,
      Discovery discovery,
      SplitAssigner assigner,
      MonitorState state,
      InstantSource clock) {
    this.context = requireNonNull(context, "context");
    this.mode = requireNonNull(mode, "mode");
    this.isStaged = order == RowOrder.STAGED && !mode.isBounded();
    this.location = location;
    this.discovery = requireNonNull(discovery, "discovery");
    this.assigner = assigner;
    this.lag = new ReadLag(clock, state.position());
    this.position = state.position();
    this.nextRange = state.nextRange();
    if (state.position() != null) {
      needed.restored();
    }
    ask();
  }

  /** The enumerator of a read that begins, on a real table. */
  public static SplitMonitor of(
      SplitEnumeratorContext<HudiSplit> context, SourceConfig config, Storage storage) {
    return fresh(
        context,
        config.mode(),
        config.order(),
        storage.location(),
        new TableDiscovery(storage, config, InstantSource.system(), readerName(context)),
        InstantSource.system());
  }

  /** The enumerator of a read that goes on, on a real table. */
  public static SplitMonitor of(
      SplitEnumeratorContext<HudiSplit> context,
      SourceConfig config,
      Storage storage,
      MonitorState state) {
    return restored(
        context,
        config.mode(),
        config.order(),
        storage.location(),
        new TableDiscovery(storage, config, InstantSource.system(), readerName(context)),
        state,
        InstantSource.system());
  }

  /** The same for all starts of one job, so that a start takes the lease of the one before over. */
  private static String readerName(SplitEnumeratorContext<HudiSplit> context) {
    MetricGroup metrics = context.metricGroup();
    Map<String, String> names = metrics == null ? Map.of() : metrics.getAllVariables();
    String job = names.get("<job_id>");
    String operator = names.get("<operator_id>");
    return job == null || operator == null
        ? "reader-" + UUID.randomUUID()
        : "job-%s-%s".formatted(job, operator).replaceAll("[^A-Za-z0-9-]", "-");
  }

  /** The enumerator of a read that begins. */
  static SplitMonitor fresh(
      SplitEnumeratorContext<HudiSplit> context,
      ReadMode mode,
      RowOrder order,
      String location,
      Discovery discovery,
      InstantSource clock) {
    SplitAssigner assigner =
        SplitAssigner.fresh(context.currentParallelism(), affinity(mode, order));
    return new SplitMonitor(
        context, mode, order, location, discovery, assigner, MonitorState.INITIAL, clock);
  }

  /** The enumerator of a read that goes on from a checkpoint. */
  static SplitMonitor restored(
      SplitEnumeratorContext<HudiSplit> context,
      ReadMode mode,
      RowOrder order,
      String location,
      Discovery discovery,
      MonitorState state,
      InstantSource clock) {
    SplitAssigner assigner =
        SplitAssigner.restored(
            context.currentParallelism(), affinity(mode, order), state.pending(), state.ticks());
    return new SplitMonitor(context, mode, order, location, discovery, assigner, state, clock);
  }

  private static SplitAssigner.Affinity affinity(ReadMode mode, RowOrder order) {
    return mode.isBounded() || order == RowOrder.STAGED
        ? SplitAssigner.Affinity.NONE
        : SplitAssigner.Affinity.ONE_READER;
  }

  @Override
  public void start() {
    registerMetrics();
    long period = RENEWAL.toMillis();
    context.callAsync(this::renew, this::onRenewed, period, period);
    if (mode instanceof ReadMode.Continuous continuous) {
      context.callAsync(
          this::look, this::onLook, 0, Math.max(1, continuous.checkInterval().toMillis()));
    } else if (position == null && !discovery.waitsForPartitions()) {
      lookOnce();
    }
  }

  /** The look of a bounded read. */
  private void lookOnce() {
    hasLooked = true;
    context.callAsync(this::look, this::onLook);
  }

  /** I/O thread. */
  private Boolean renew() {
    InstantTime from = question.needed();
    if (from != null) {
      discovery.keep(from);
    }
    return true;
  }

  private void onRenewed(@Nullable Boolean isDone, @Nullable Throwable failure) {
    if (failure != null) {
      LOG.warn("The lease of the reader of '{}' was not renewed", location, failure);
    }
    ask(); // what was finished since the last question counts in the next one
  }

  /** I/O thread. */
  private Answer look() throws IOException {
    Question asked = question;
    return new Answer(asked, asked.plans() ? discovery.plan(asked.from()) : discovery.look());
  }

  private void onLook(@Nullable Answer answer, @Nullable Throwable failure) {
    if (failure != null) {
      onFailedLook(failure);
      return;
    }
    requireNonNull(answer, "answer");
    failedLooks = 0;
    lag.looked(answer.found());
    if (answer.question().plans()) {
      answer.found().range().ifPresent(range -> accept(answer.question().from(), range));
      goesOn = answer.found().goesOn();
      isOver |= answer.found().isOver() && Objects.equals(answer.question().from(), position);
    }
    if (mode.isBounded() && position == null) {
      position = InstantTime.BEGINNING; // nothing there, and nothing to wait for
    }
    handOut();
  }

  /** Two looks may have started from one position: only the first counts. */
  private void accept(@Nullable InstantTime from, ScanRange range) {
    if (!Objects.equals(from, position)) {
      LOG.debug("Dropped a plan from {}: the position is {} now", from, position);
      return;
    }
    List<HudiSplit> splits = new ArrayList<>();
    for (int phase = 0; phase < range.stages().size(); phase++) {
      Stage stage = new Stage(nextRange, phase);
      int number = 0;
      for (ScanSplit scan : range.stages().get(phase).stream().sorted(BY_AGE).toList()) {
        splits.add(HudiSplit.of(stage, number++, scan, range.movesKeys()));
      }
    }
    assigner.add(splits);
    lag.planned(nextRange, range.end());
    LOG.info(
        "Planned range {} of {}: after {} up to {}, {} splits in {} stages",
        nextRange,
        location,
        from == null ? "the beginning" : from,
        range.end(),
        splits.size(),
        range.stages().size());
    needed.planned(nextRange, from == null ? beginning(range) : from);
    position = range.end();
    nextRange++;
  }

  private static InstantTime beginning(ScanRange range) {
    return range.stages().stream()
        .flatMap(List::stream)
        .filter(ScanSplit.Changes.class::isInstance)
        .map(SplitMonitor::firstInstant)
        .reduce(range.end(), (a, b) -> b.isBefore(a) ? b : a);
  }

  private static InstantTime firstInstant(ScanSplit scan) {
    return scan instanceof ScanSplit.Changes changes && !changes.instants().isEmpty()
        ? Collections.min(changes.instants())
        : scan.slice().baseInstant();
  }

  private void onFailedLook(Throwable failure) {
    failedLooks++;
    if (failure instanceof HudiTableException mendable) {
      throw new SuppressRestartsException(mendable); // the same again would not help
    }
    if (failedLooks >= MAX_FAILED_LOOKS) {
      throw new IllegalStateException(
          "Cannot look for commits of '%s' after %s: %d looks failed one after the other, the last with: %s. Check that the storage can be reached; the job goes on from its checkpoint."
              .formatted(location, position, failedLooks, failure),
          failure);
    }
    LOG.warn(
        "Look {} of {} at '{}' failed, trying again",
        failedLooks,
        MAX_FAILED_LOOKS,
        location,
        failure);
    if (mode.isBounded()) {
      context.callAsync(this::look, this::onLook);
    }
  }

  @Override
  public void addReader(int subtask) {
    // Counts from its ReaderStarted on, which comes right after.
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    assigner.splitsRequested(subtask);
    if (mode.isBounded() && position == null && !hasLooked) {
      lookOnce(); // whoever was to tell the partitions has not
    }
    handOut();
  }

  @Override
  public void handleSourceEvent(int subtask, SourceEvent event) {
    if (event instanceof DynamicFilteringEvent filter) {
      discovery.narrow(filter.getData());
      return;
    }
    if (event instanceof ReaderStarted started) {
      toldTick.remove(subtask);
      assigner.readerStarted(subtask, started.restored());
    } else if (event instanceof SplitsFinished finished) {
      assigner.splitsFinished(subtask, finished.splitIds(), finished.watermarkMillis());
    } else {
      throw new IllegalStateException("Unknown event of reader " + subtask + ": " + event);
    }
    handOut();
  }

  @Override
  public void addSplitsBack(List<HudiSplit> splits, int subtask) {
    assigner.readerFailed(subtask, splits);
    handOut();
  }

  private void handOut() {
    Set<Integer> present = context.registeredReaders().keySet();
    Map<Integer, List<HudiSplit>> assignments = assigner.takeAssignments(present);
    if (isStaged) { // before the first rows of a new stage
      assigner.reachedTick().ifPresent(tick -> tell(present, tick));
    }
    if (!assignments.isEmpty()) {
      context.assignSplits(new SplitsAssignment<>(assignments));
    }
    if (isOver || (mode.isBounded() && position != null)) {
      assigner.takeIdleReaders(present).forEach(context::signalNoMoreSplits);
      endIfAllIsRead();
    }
    lag.progress(assigner.firstUnfinishedRange(nextRange));
    ask();
    if (goesOn && question.plans()) {
      goesOn = false;
      context.callAsync(this::look, this::onLook);
    }
  }

  private void endIfAllIsRead() {
    if (!hasEnded && assigner.firstUnfinishedRange(nextRange) >= nextRange) {
      hasEnded = true;
      context.callAsync(
          () -> {
            discovery.end();
            return true;
          },
          (isDone, failure) -> {});
    }
  }

  private void tell(Set<Integer> present, long tick) {
    for (int reader : present) {
      if (!Objects.equals(toldTick.put(reader, tick), tick)) {
        context.sendEventToSourceReader(reader, new TickReached(tick));
      }
    }
  }

  private void ask() {
    splitsPending = assigner.pendingCount();
    question =
        new Question(
            position,
            assigner.isDrained(),
            needed.get(assigner.firstUnfinishedRange(nextRange), nextRange, position));
  }

  @Override
  public MonitorState snapshotState(long checkpointId) {
    needed.checkpoint(checkpointId, assigner.firstUnfinishedRange(nextRange), nextRange, position);
    return new MonitorState(position, nextRange, assigner.pending(), assigner.ticks());
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) {
    needed.checkpointComplete(checkpointId);
    ask();
  }

  @Override
  public void close() {
    // Flink stops the I/O thread; nothing is open between looks. A lease that is held stays until
    // it
    // expires: the job may go on, from a checkpoint.
  }

  private void registerMetrics() {
    MetricGroup metrics = context.metricGroup();
    if (metrics == null) {
      return;
    }
    metrics.gauge("instantsBehind", (Gauge<Long>) lag::instantsBehind);
    metrics.gauge("secondsBehind", (Gauge<Long>) lag::secondsBehind);
    metrics.gauge("splitsPending", (Gauge<Long>) () -> splitsPending);
    context.metricGroup().setUnassignedSplitsGauge(() -> splitsPending);
  }

  /**
   * @param from the position when the question was asked
   * @param plans whether to plan, not only to look
   * @param needed the table is needed from this position on; null if nothing is planned yet
   */
  private record Question(
      @Nullable InstantTime from, boolean plans, @Nullable InstantTime needed) {}

  private record Answer(Question question, Discovery.Found found) {}
}
