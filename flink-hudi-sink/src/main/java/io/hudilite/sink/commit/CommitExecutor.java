package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterFencedException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does to the table what {@link CommitProtocol} decides, and tells of it: commits and rollbacks in
 * one thread, in their order; the opening of instants in a second one, so that writers go on while
 * a commit is slow; signs of life in a third one. What fails for the moment is tried again.
 */
final class CommitExecutor {
  /** Of the coordinator: who looks for its lines need not know its parts. */
  private static final Logger LOG = LoggerFactory.getLogger(CommitCoordinator.class);

  /** How long an end waits for a commit that is under way. */
  static final long CLOSE_SECONDS = 30;

  private final CommitSettings settings;
  private final OperatorCoordinator.Context context;
  private final InstantSource clock;
  private final CommitMetrics metrics;
  private final CommitSignal signal;
  private final Listener listener;
  private final ExecutorService commits;
  private final ExecutorService openings;
  private final ScheduledExecutorService heartbeats;

  /** Down as soon as the end begins: who waits for another job's end waits no longer. */
  private final CountDownLatch ending = new CountDownLatch(1);

  /** Down when the last commit had its time: nothing is tried again. */
  private final CountDownLatch closing = new CountDownLatch(1);

  /** Written before the protocol starts, read in the threads of opening and committing. */
  private volatile InstantCommitter committer;

  private volatile boolean isEnding;

  /** In the thread of commits. Later ones would follow a gap. */
  private boolean hasCommitFailed;

  /** Hears what has become of the table; called in the threads of the executor. */
  interface Listener {

    /**
     * The table is open.
     *
     * @param pending instants of earlier starts that are neither committed nor rolled back
     */
    void onStarted(List<InstantTime> pending);

    /** The table is open, and has the only commit that this run makes. */
    void onFoundDone();

    void onOpened(long slot, InstantTime instant);

    void onCommitted(InstantTime instant);

    /**
     * Nothing more can be done; the job must begin again, or end.
     *
     * @param what failed, a sentence
     */
    void onFailure(String what, Throwable cause);
  }

  CommitExecutor(
      CommitSettings settings,
      OperatorCoordinator.Context context,
      InstantSource clock,
      CommitMetrics metrics,
      CommitSignal signal,
      CoordinatorThreads threads,
      Listener listener) {
    this.settings = requireNonNull(settings, "settings");
    this.context = requireNonNull(context, "context");
    this.clock = requireNonNull(clock, "clock");
    this.metrics = requireNonNull(metrics, "metrics");
    this.signal = requireNonNull(signal, "signal");
    this.listener = requireNonNull(listener, "listener");
    commits = Executors.newSingleThreadExecutor(threads.named("commits"));
    openings = Executors.newSingleThreadExecutor(threads.named("openings"));
    heartbeats = Executors.newSingleThreadScheduledExecutor(threads.named("heartbeats"));
  }

  /**
   * Opens the table.
   *
   * @param after what must have ended before
   */
  void start(CompletableFuture<Void> after) {
    var unused = after.whenCompleteAsync((nothing, error) -> prepare(), commits);
  }

  private void prepare() {
    String what = "The table at '%s' cannot be opened for writing".formatted(settings.path());
    try {
      committer =
          persistently(
              what,
              () ->
                  InstantCommitter.start(
                      settings,
                      Storages.of(settings.path()),
                      clock,
                      this::pauseUnlessClosing,
                      this::takeLease));
      long beatMillis = settings.heartbeatInterval().toMillis();
      var unused =
          heartbeats.scheduleWithFixedDelay(
              this::beat, beatMillis, beatMillis, TimeUnit.MILLISECONDS);
      signal.ready(committer.clock());
      if (settings.timing() == CommitTiming.AT_END && committer.isDone()) {
        LOG.info("Run {} has committed to '{}' before", settings.run(), settings.path());
        listener.onFoundDone();
      } else {
        listener.onStarted(committer.older());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      listener.onFailure(what + " (check the path, and that the JobManager may write there)", e);
    } catch (Throwable e) {
      listener.onFailure(what, e);
    }
  }

  private WriterLease takeLease(Storage storage) throws IOException, InterruptedException {
    Map<String, String> names = context.metricGroup().getAllVariables();
    LeaseHolder holder =
        new LeaseHolder(
            settings.run(),
            names.getOrDefault("<job_name>", "unknown"),
            "job id %s, process %s, start %s"
                .formatted(
                    names.getOrDefault("<job_id>", "unknown"),
                    ManagementFactory.getRuntimeMXBean().getName(),
                    UUID.randomUUID()),
            Instant.ofEpochMilli(clock.millis()).toString(),
            settings.patience());
    return WriterLease.acquire(storage, holder, System::nanoTime, millis -> pause(ending, millis));
  }

  private void beat() {
    try {
      committer.beat();
    } catch (WriterFencedException e) {
      listener.onFailure("The table at '%s' was taken over".formatted(settings.path()), e);
      heartbeats.shutdown();
    } catch (IOException | RuntimeException e) {
      LOG.warn("No sign of life can be shown on the table at '{}'", settings.path(), e);
    }
  }

  /** Opens an instant; {@link Listener#onOpened} tells it. Does not wait. */
  void open(long slot) {
    openings.execute(() -> openNow(slot));
  }

  private void openNow(long slot) {
    String what = "No instant can be opened on the table at '%s'".formatted(settings.path());
    try {
      InstantTime instant = persistently(what, committer::open);
      LOG.debug("Opened instant {} of '{}'", instant, settings.path());
      if (isEnding) {
        committer.giveUp(instant);
      } else {
        listener.onOpened(slot, instant);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      listener.onFailure(what, e);
    }
  }

  /** Completes an instant; {@link Listener#onCommitted} tells it. Does not wait. */
  void commit(Effect.Commit commit) {
    commits.execute(() -> commitNow(commit));
  }

  private void commitNow(Effect.Commit commit) {
    if (hasCommitFailed) {
      return; // the job restarts, and its state commits it in order
    }
    long begin = System.nanoTime();
    try {
      boolean isNew;
      synchronized (signal.completion()) {
        isNew = committer.commit(commit);
      }
      signal.committed(committer.clock().next());
      if (isNew) {
        show(commit, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
      } else {
        LOG.debug("Instant {} of '{}' was visible before", commit.instant(), settings.path());
      }
      listener.onCommitted(commit.instant());
      tidyUp();
    } catch (InterruptedException e) {
      hasCommitFailed = true;
      Thread.currentThread().interrupt();
      LOG.info("Gave instant {} up, as the job ends; its state commits it", commit.instant());
    } catch (Throwable e) {
      hasCommitFailed = true;
      metrics.onFailure();
      listener.onFailure(
          "Instant %s of checkpoint %d cannot be committed to the table at '%s'"
              .formatted(commit.instant(), commit.checkpoint(), settings.path()),
          e);
    }
  }

  private void show(Effect.Commit commit, long millis) {
    CommitMetrics.Size size = CommitMetrics.Size.of(commit.reports());
    metrics.onCommit(millis, size);
    LOG.info(
        "Committed instant {} of '{}': checkpoint {}, {} rows, {} files, {} bytes, in {} ms, {} ms after it was opened",
        commit.instant(),
        settings.path(),
        commit.checkpoint() == WriteReport.END_OF_INPUT ? "none" : commit.checkpoint(),
        size.rows(),
        size.files(),
        size.bytes(),
        millis,
        committer.millisSince(commit.instant()));
  }

  private void tidyUp() throws InterruptedException {
    try {
      committer.rollBackStrays();
      committer.removeLateFiles();
    } catch (IOException e) {
      // After the next commit it is tried again.
      LOG.warn("Not all that older writers left in '{}' is removed", settings.path(), e);
    }
  }

  /** Rolls an instant back. Does not wait. */
  void rollBack(InstantTime instant) {
    commits.execute(() -> rollBackNow(instant));
  }

  private void rollBackNow(InstantTime instant) {
    String what =
        "Instant %s of the table at '%s' cannot be rolled back".formatted(instant, settings.path());
    try {
      if (!committer.rollBack(instant)) {
        listener.onFailure(
            what,
            new IOException(
                "an older writer had decided to commit it; the job restarts to take its rows into account"));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      listener.onFailure(what, e);
    }
  }

  /** Runs a task behind the commits that were given before, in their thread. Does not wait. */
  void afterCommits(Runnable task) {
    commits.execute(task);
  }

  /** Lets another job begin; in the thread of commits. */
  void release() {
    if (committer == null) {
      return;
    }
    try {
      committer.release();
    } catch (IOException | RuntimeException e) {
      LOG.warn("Another job must wait until it may write to '{}'", settings.path(), e);
    }
  }

  /** A writer runs again after all seemed to be over; in the thread of commits. */
  void holdLease() {
    try {
      committer.holdLease();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) {
      listener.onFailure("The table at '%s' cannot be written again".formatted(settings.path()), e);
    }
  }

  private interface Attempt<T> {
    T make() throws IOException, InterruptedException;
  }

  /**
   * Tries again what fails for the moment, with pauses that grow, as often as the settings say. Who
   * was fenced does not try again.
   */
  private <T> T persistently(String what, Attempt<T> attempt)
      throws IOException, InterruptedException {
    long waitMillis = settings.retryInterval().toMillis();
    for (int tries = 1; ; tries++) {
      try {
        return attempt.make();
      } catch (WriterFencedException e) {
        throw e;
      } catch (IOException e) {
        if (tries > settings.retries()) {
          throw e;
        }
        LOG.warn(
            "{} yet; trying again in {} ms ({} of {})",
            what,
            waitMillis,
            tries,
            settings.retries(),
            e);
        pauseUnlessClosing(waitMillis);
        waitMillis *= 2;
      }
    }
  }

  private void pauseUnlessClosing(long millis) throws InterruptedException {
    pause(closing, millis);
  }

  private static void pause(CountDownLatch end, long millis) throws InterruptedException {
    if (end.await(millis, TimeUnit.MILLISECONDS)) {
      throw new InterruptedException("The coordinator is being closed");
    }
  }

  /** From now on nothing that goes wrong here matters to the job. */
  void announceEnd() {
    isEnding = true;
  }

  boolean isEnding() {
    return isEnding;
  }

  /** Who waits for another job's end waits no longer. */
  void giveUpWaiting() {
    isEnding = true;
    ending.countDown();
  }

  /**
   * Waits for the commits that were given before, at most {@link #CLOSE_SECONDS}.
   *
   * @param inTheEnd runs behind them, in their thread
   */
  void finishCommits(Runnable inTheEnd) throws InterruptedException {
    commits.execute(inTheEnd);
    commits.shutdown();
    if (!commits.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn(
          "A commit to '{}' is still under way after {} s; it is left alone",
          settings.path(),
          CLOSE_SECONDS);
    }
  }

  /** Ends all threads; what they still do is interrupted. */
  void stop() {
    closing.countDown();
    heartbeats.shutdownNow();
    commits.shutdownNow();
    openings.shutdownNow();
  }
}
