package io.hudilite.core.soak;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileId;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.PartitionMetadata;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A table of many file groups, of which ten change with each commit: what its services cost then.
 * The groups that rest are each in a partition of their own, which is the most to list; their files
 * hold nothing, since no service may open them.
 */
final class GrowingTable {
  static final int CHANGED = 10;
  private static final int ROUNDS = 12;
  private static final int MEASURED = 6;

  private final FaultyStorage storage;
  private final MorTable table;
  private final CompactionScheduler compactions =
      new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT);
  private final ClusteringScheduler clusterings;
  private final Cleaner cleaner;
  private final TimelineArchiver archiver;
  private final Map<String, Cost> costs = new TreeMap<>();
  private boolean isMeasured;

  /**
   * Per step.
   *
   * @param calls of the storage, streams and their writes included
   */
  record Cost(double calls, double millis) {}

  private GrowingTable(Storage store, int groups) throws IOException {
    this.storage = FaultyStorage.counting(store);
    this.table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
    this.clusterings = newClusterings();
    this.cleaner = new Cleaner(storage, CleanRetention.ofCommits(2), table.wall());
    this.archiver = new TimelineArchiver(storage, new ArchiveLimits(4, 6), table.wall());
    addResting(groups - CHANGED);
  }

  private void addResting(int groups) throws IOException {
    TableCommit commit = new TableCommit(storage, table.config(), table.clock());
    InstantTime instant = commit.begin(Action.DELTA_COMMIT);
    PartitionMetadata partitions = new PartitionMetadata(storage);
    byte[] content = new byte[100];
    List<WriteStat> stats = new ArrayList<>();
    for (int i = 0; i < groups; i++) {
      String partition = "rest%05d".formatted(i);
      FileId id = FileId.of(UUID.nameUUIDFromBytes(partition.getBytes(StandardCharsets.UTF_8)));
      String name = new BaseFileName(id, "0-0-0", instant).toString();
      partitions.ensure(partition, instant);
      storage.createNew(partition + "/" + name, content);
      stats.add(WriteStat.ofNewBaseFile(id.value(), partition, name, 1, content.length));
    }
    commit.commit(instant, MorTable.metadata(stats));
  }

  /** What the steps of each service cost on average when the table is that large. */
  static Map<String, Cost> costs(Storage store, int groups) throws IOException {
    GrowingTable growing = new GrowingTable(store, groups);
    for (int round = 0; round < ROUNDS; round++) {
      growing.isMeasured = round >= ROUNDS - MEASURED;
      growing.round(round);
    }
    return growing.costs;
  }

  private void round(int round) throws IOException {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < CHANGED; i++) {
      // Two small groups in each partition, so that there is something to cluster.
      changes.add(MorTable.upsert("busy" + i / 2, "" + i % 2, "v" + round, round));
    }
    table.commit(changes);
    measure("clustering: plan", () -> planClustering(clusterings));
    measure("clustering: plan in a new process", () -> planClustering(newClusterings()));
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    if (round == 0) {
      return; // base files only
    }
    measure(
        "compaction: plan",
        () -> {
          ScheduleResult result =
              compactions.schedule(HudiTable.open(storage), table.clock().next());
          if (((ScheduleResult.Planned) result).plan().operations().size() != CHANGED) {
            throw new AssertionError(result);
          }
          return () -> {};
        });
    new TableCompaction(
            storage,
            BaseFileSettings.DEFAULT,
            MergeMemory.DEFAULT,
            new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
        .executePending();
    measure(
        "clean: plan and delete",
        () -> {
          cleaner.clean(table.clock());
          return () -> {};
        });
    measure(
        "archive",
        () -> {
          archiver.archive();
          return () -> {};
        });
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private ClusteringScheduler newClusterings() {
    return new ClusteringScheduler(
        ClusteringTrigger.ALWAYS, ClusteringStrategy.DEFAULT, table.wall());
  }

  private After planClustering(ClusteringScheduler scheduler) throws IOException {
    HudiTable now = HudiTable.open(storage);
    ClusteringScheduler.Result result = scheduler.schedule(now, CompactionScheduler.timeFor(now));
    InstantTime planned = ((ClusteringScheduler.Result.Planned) result).instant();
    return () -> new TableCommit(storage, table.config(), table.clock()).dropPlan(planned);
  }

  /** Returns what has to be done afterwards and does not count. */
  private interface Step {
    After run() throws IOException;
  }

  private interface After {
    void run() throws IOException;
  }

  private void measure(String name, Step step) throws IOException {
    int calls = storage.operationCount();
    long nanos = System.nanoTime();
    After after = step.run();
    if (isMeasured) {
      Cost cost =
          new Cost(
              (double) (storage.operationCount() - calls) / MEASURED,
              (System.nanoTime() - nanos) / 1e6 / MEASURED);
      costs.merge(name, cost, (a, b) -> new Cost(a.calls + b.calls, a.millis + b.millis));
    }
    after.run();
  }
}
