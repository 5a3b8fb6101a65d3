package io.hudilite.core.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.PartitionFilter;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.health.SliceSizes;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.recovery.Savepoint;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.view.FileSystemView;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * One writer, a compactor, a clusterer, a cleaner, an archiver, somebody who makes savepoints, and
 * three readers, one step after the other as the seed wants it. Any step but a read may be cut
 * short by a crash at any call of the storage; the next process finds what it left.
 *
 * <p>Rows go to a partition for each "day" of commits; those of past days are clustered, and never
 * written again.
 */
final class Soak {
  private static final int COMMITS_OF_A_DAY = 20;
  private static final int KEYS = 12;
  private static final int GROUPS = 2;
  private static final int RETAINED = 3;
  private static final ArchiveLimits LIMITS = new ArchiveLimits(14, 20);
  private static final int CALLS_OF_A_STEP = 60;

  private final Random random;
  private final InMemoryStorage memory = new InMemoryStorage();

  /** Calls of the storage by the processes. */
  private long calls;

  private final ServiceCosts costs = new ServiceCosts();

  /** What the processes see; a crash is a storage on which nothing works any more. */
  private Storage current = memory;

  private final Storage world =
      (Storage)
          Proxy.newProxyInstance(
              Storage.class.getClassLoader(),
              new Class<?>[] {Storage.class},
              (proxy, method, arguments) -> {
                this.calls++;
                try {
                  return method.invoke(current, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private final MorTable table;
  private final TreeMap<InstantTime, List<String>> history = new TreeMap<>();
  private final StreamingReader steady;
  private final StreamingReader restless;

  /** A batch read that takes its time. */
  private List<ScanSplit> batch = List.of();

  private List<String> batchExpected = List.of();

  private Cleaner cleaner;
  private TimelineArchiver archiver;
  private CompactionScheduler compactions;
  private int commits;
  private int crashes;
  private int instants;
  private int unheldInstants;
  private int timelineFiles;
  private final Peaks dataFiles = new Peaks();
  private final Peaks logFiles = new Peaks();

  Soak(long seed) throws IOException {
    this.random = new Random(seed);
    this.table = MorTable.create(world, GROUPS, MergeMode.EVENT_TIME_ORDERING);
    this.steady = new StreamingReader(memory, "steady", table.wall());
    this.restless = new StreamingReader(memory, "restless", table.wall());
    newProcess();
  }

  private void newProcess() {
    cleaner = new Cleaner(world, CleanRetention.ofCommits(RETAINED), table.wall());
    archiver = new TimelineArchiver(world, LIMITS, table.wall());
    compactions =
        new CompactionScheduler(
            new CompactionTrigger(TriggerStrategy.NUM_COMMITS, 3, Duration.ZERO),
            PlanLimits.DEFAULT);
  }

  /**
   * What a run was like.
   *
   * @param instants most that were on the active timeline at once, after an archiving
   * @param unheldInstants most that were there while no reader's lease held anything that the
   *     archiver would have taken
   * @param timelineFiles most files in the folder of the timeline, up to three for an instant
   * @param dataFiles most data files, without one for each closed day
   * @param logFiles most log files that a read of a slice has to merge
   * @param costs calls of the storage
   */
  record Figures(
      int commits,
      int crashes,
      int instants,
      int unheldInstants,
      int timelineFiles,
      Peaks dataFiles,
      Peaks logFiles,
      ServiceCosts costs) {}

  Figures run(int wantedCommits) throws IOException {
    while (commits < wantedCommits) {
      table.wall().advanceMillis(1_000 + random.nextInt(60_000));
      step();
    }
    catchUp(steady);
    catchUp(restless);
    readBatch();
    return new Figures(
        commits, crashes, instants, unheldInstants, timelineFiles, dataFiles, logFiles, costs);
  }

  private void step() throws IOException {
    switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> write();
      case 4 -> counted("compact", this::compact);
      case 5 -> crashing(this::cluster);
      case 6 -> {
        counted("clean", () -> cleaner.clean(table.clock()));
        counted("archive", archiver::archive);
        assertBounds();
      }
      case 7 -> crashing(this::savepoint);
      case 8 -> {
        steady.go(1 + random.nextInt(8));
        check(steady);
        steady.checkpoint();
      }
      case 9, 10 -> moveRestless();
      default -> moveBatch();
    }
  }

  private boolean counted(String kind, Step step) throws IOException {
    long before = calls;
    boolean isDead = crashing(step);
    if (!isDead) {
      costs.add(kind, commits, calls - before);
    }
    return isDead;
  }

  private interface Step {
    void run() throws IOException;
  }

  /** Now and then the process dies in the middle. Returns whether it did. */
  private boolean crashing(Step step) throws IOException {
    observe();
    if (random.nextInt(4) != 0) {
      step.run();
      observe();
      return false;
    }
    FaultyStorage faulty =
        FaultyStorage.failingAt(
            memory,
            random.nextInt(CALLS_OF_A_STEP),
            FaultyStorage.Fault.values()[random.nextInt(2)],
            FaultyStorage.Aftermath.DEAD);
    current = faulty;
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      if (!faulty.hasFailed()) {
        throw e;
      }
    } finally {
      current = memory;
    }
    if (faulty.hasFailed()) {
      crashes++;
      newProcess();
    }
    observe();
    return faulty.hasFailed();
  }

  private void observe() throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private void write() throws IOException {
    List<Change> batchOfChanges = new ArrayList<>();
    String day = day(commits);
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      String id = "k" + random.nextInt(KEYS);
      String name = random.nextInt(5) == 0 ? null : "v" + commits + "-" + i;
      batchOfChanges.add(new Change(day, id, name, commits - random.nextInt(3)));
    }
    boolean isDead = counted("commit", () -> table.commit(batchOfChanges));
    if (isDead) {
      TableCommit next = new TableCommit(world, table.config(), table.clock());
      next.recover();
      for (Instant pending : next.pending()) {
        next.rollBack(pending.requestedTime());
      }
      observe();
      remember();
      // Whether it is committed or not: again, as a source that was set back does.
      table.commit(batchOfChanges);
    }
    commits++;
    Optional<InstantTime> last = table.open().timeline().lastCompletion();
    history.put(last.orElseThrow(), table.expectedRows());
    forgetWhatNobodyReads();
  }

  /** After a crash, where only the table tells whether the commit counts. */
  private void remember() throws IOException {
    Optional<InstantTime> last = table.open().timeline().lastCompletion();
    if (last.isPresent()) {
      history.put(last.get(), table.rows());
    }
  }

  private void forgetWhatNobodyReads() {
    InstantTime oldest = history.lastKey();
    for (StreamingReader reader : List.of(steady, restless)) {
      if (reader.oldest() == null) {
        return;
      }
      oldest = reader.oldest().isBefore(oldest) ? reader.oldest() : oldest;
    }
    InstantTime floor = history.floorKey(oldest);
    if (floor != null) {
      history.headMap(floor).clear();
    }
  }

  private static String day(int commit) {
    return "d%04d".formatted(commit / COMMITS_OF_A_DAY);
  }

  private TakeOver takeOver() {
    return new TakeOver("soak", Duration.ofMinutes(20), "soak", table.wall());
  }

  private void compact() throws IOException {
    if (random.nextInt(3) != 0) {
      compactions.schedule(HudiTable.open(world), table.clock().next());
    }
    if (random.nextInt(3) != 0) {
      new TableCompaction(world, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, takeOver())
          .executePending();
    }
  }

  private void cluster() throws IOException {
    int today = commits / COMMITS_OF_A_DAY;
    if (today == 0) {
      return;
    }
    if (random.nextInt(3) != 0) {
      new ClusteringScheduler(
              ClusteringTrigger.ALWAYS,
              new ClusteringStrategy(
                  1L << 30,
                  600L << 20,
                  2L << 30,
                  30,
                  List.of("name"),
                  Layout.LINEAR,
                  PartitionFilter.of(
                      IntStream.range(0, today).mapToObj("d%04d"::formatted).toList())),
              table.wall())
          .schedule(table.open(), table.clock().next());
    }
    if (random.nextInt(3) != 0) {
      new TableClustering(world, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, takeOver())
          .executePending();
    }
  }

  /** One at a time, and not for long. */
  private void savepoint() throws IOException {
    SavepointStore savepoints = new SavepointStore(world, table.wall());
    List<Savepoint> there = savepoints.list();
    if (there.isEmpty() && random.nextInt(3) == 0 && commits > 0) {
      try {
        savepoints.createNewest("soak", "");
      } catch (HudiTableException e) {
        // The newest write may be a clustering that was requested before what a clean has kept.
        assertThat(e).hasMessageContaining("is too old for a savepoint");
      }
    }
    for (Savepoint savepoint : there) {
      savepoints.delete(savepoint.instant());
    }
  }

  private void moveRestless() throws IOException {
    if (random.nextInt(4) == 0) {
      restless.restore();
    }
    restless.go(1 + random.nextInt(5));
    check(restless);
    if (random.nextInt(3) == 0) {
      restless.checkpoint();
    }
  }

  private void check(StreamingReader reader) {
    InstantTime upTo = reader.upTo();
    if (upTo != null && history.floorEntry(upTo) != null) {
      assertThat(reader.rows()).isEqualTo(history.floorEntry(upTo).getValue());
    }
  }

  private void catchUp(StreamingReader reader) throws IOException {
    for (int i = 0; i < 3; i++) {
      reader.go(Integer.MAX_VALUE);
    }
    assertThat(reader.rows()).isEqualTo(table.expectedRows());
  }

  /** Plans a batch read, or does what was planned some steps ago. */
  private void moveBatch() throws IOException {
    assertThat(table.rows()).isEqualTo(table.expectedRows());
    if (!batch.isEmpty()) {
      readBatch();
      return;
    }
    HudiTable now = table.open();
    if (now.timeline().lastCompletion().isPresent()) {
      new ReaderLeaseStore(memory, table.wall())
          .hold("batch", now.timeline().lastCompletion().get(), Duration.ofDays(1));
      batch = new ScanPlanner().snapshot(now);
      batchExpected = table.expectedRows();
    }
  }

  private void readBatch() throws IOException {
    assertThat(MorTable.rows(table.open(), batch))
        .isEqualTo(batch.isEmpty() ? List.of() : batchExpected);
    batch = List.of();
    new ReaderLeaseStore(memory, table.wall()).release("batch");
  }

  private void assertBounds() throws IOException {
    int active = table.open().timeline().instants().size();
    instants = Math.max(instants, active);
    if (active > unheldInstants && !isHeldByReaders()) {
      unheldInstants = active;
      assertThat(active).as(whatHolds()).isLessThan(100);
    }
    timelineFiles = Math.max(timelineFiles, memory.list(table.config().timelinePath()).size());
    int days = 1 + commits / COMMITS_OF_A_DAY;
    dataFiles.see(commits, table.dataFiles().size() - days);
    logFiles.see(commits, mostLogFiles());
    assertThat(memory.list(".hoodie/.temp")).hasSizeLessThan(10);
    assertThat(memory.list(".hoodie/.hudi-lite/fate")).hasSizeLessThan(60);
    assertThat(memory.list(".hoodie/.hudi-lite/leases")).hasSizeLessThan(6);
  }

  private int mostLogFiles() throws IOException {
    FileSystemView view = table.open().view();
    int most = 0;
    for (String partition : view.partitions()) {
      for (FileSlice slice : view.latestSlices(partition)) {
        most = Math.max(most, slice.logFiles().size());
      }
    }
    return most;
  }

  /** Whether more would be cleaned and archived if no reader had a lease. */
  private boolean isHeldByReaders() throws IOException {
    InMemoryStorage copy = memory.copy();
    copy.deleteFolder(".hoodie/.hudi-lite/leases");
    new Cleaner(copy, CleanRetention.ofCommits(RETAINED), table.wall())
        .clean(new InstantClock(table.wall(), table.config().timelineZone()));
    return new TimelineArchiver(copy, LIMITS, table.wall()).archive() > 0;
  }

  /** For the message: what the timeline begins with, what is pending, and what is uncompacted. */
  private String whatHolds() throws IOException {
    HudiTable now = table.open();
    SliceSizes sizes = new SliceSizes();
    sizes.update(now.timeline(), now.timelineStore());
    return "begins with %s, pending %s, oldest uncompacted %s"
        .formatted(
            now.timeline().instants().subList(0, 3),
            now.timeline().instants().stream().filter(i -> !i.isCompleted()).toList(),
            sizes.oldestUncompacted());
  }
}
