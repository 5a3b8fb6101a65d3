package io.hudilite.core.soak;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

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
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.Fixtures;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * What an older version of the jar has planned or begun is carried out by this one. The tables are
 * as that version left them when it died at every kind of step, in the test resources {@code
 * fixtures/own/plans_of_VERSION.tar.gz}; none of them is ever made anew. A change of the form of a
 * plan gets a further one: see {@link #writeTable}.
 */
class PlansOfOldVersionsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(20);

  private final InstantSource later =
      InstantSource.offset(InstantSource.system(), Duration.ofDays(1));

  @Test
  void versionOneIsCarriedOut(@TempDir Path folder) throws IOException {
    Storage storage = new LocalStorage(Fixtures.unpack("own/plans_of_1", folder));
    List<String> rows = Fixtures.text("own/plans_of_1.expected.txt").lines().toList();
    HudiTable before = HudiTable.open(storage);
    assertThat(before.timeline().pendingCompactions()).hasSize(2);
    assertThat(before.timeline().pendingClusterings()).hasSize(1);
    assertThat(pending(before, Action.CLEAN)).isEqualTo(1);
    assertThat(pending(before, Action.ROLLBACK)).isEqualTo(1);
    assertThat(pending(before, Action.DELTA_COMMIT)).isEqualTo(3);

    InstantClock clock = new InstantClock(later, before.config().timelineZone());
    TableCommit commits = new TableCommit(storage, before.config(), clock);
    commits.recover();
    for (Instant left : commits.pending()) {
      commits.rollBack(left.requestedTime());
    }
    assertThat(rows(storage)).isEqualTo(rows);
    TakeOver takeOver = new TakeOver("new", TIMEOUT, "", later);
    assertThat(
            new TableCompaction(storage, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, takeOver)
                .executePending())
        .hasSize(2)
        .allMatch(result -> result instanceof TableCompaction.Result.Completed);
    assertThat(
            new TableClustering(storage, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, takeOver)
                .executePending())
        .hasSize(1)
        .allMatch(result -> result instanceof TableClustering.Result.Completed);
    new Cleaner(storage, CleanRetention.ofCommits(2), later).clean(clock);

    HudiTable after = HudiTable.open(storage);
    assertThat(after.timeline().instants()).allMatch(Instant::isCompleted);
    assertThat(rows(storage)).isEqualTo(rows);
    assertThat(after.view().latestSlices("cluster")).hasSize(1);
    for (String partition : List.of("compact1", "compact2")) {
      assertThat(after.view().latestSlices(partition))
          .allMatch(slice -> slice.logFiles().isEmpty());
    }
    assertThat(new SavepointStore(storage, later).list()).hasSize(1);
    assertThat(storage.list(".hoodie/.temp")).isEmpty();
    assertThat(storage.list("undecided")).noneMatch(file -> file.name().endsWith(".parquet"));
  }

  private static long pending(HudiTable table, Action action) {
    return table.timeline().instants().stream()
        .filter(instant -> instant.action() == action && !instant.isCompleted())
        .map(Instant::requestedTime)
        .distinct()
        .count();
  }

  private static List<String> rows(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    return MorTable.rows(table, new ScanPlanner().snapshot(table));
  }

  // ---- how such a table is made ----

  private InMemoryStorage memory = new InMemoryStorage();
  private Storage current = memory;
  private final Storage world =
      (Storage)
          Proxy.newProxyInstance(
              Storage.class.getClassLoader(),
              new Class<?>[] {Storage.class},
              (proxy, method, arguments) -> {
                try {
                  return method.invoke(current, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });

  private interface Step {
    void run() throws IOException;
  }

  private interface State {
    boolean is(HudiTable table) throws IOException;
  }

  /** Lets a step die at the first call of the storage that leaves the table in a state. */
  private void dieAt(Step step, State wanted) throws IOException {
    InMemoryStorage before = memory;
    for (int n = 0; n < 300; n++) {
      InMemoryStorage copy = before.copy();
      current =
          FaultyStorage.failingAt(
              copy, n, FaultyStorage.Fault.AFTER_EFFECT, FaultyStorage.Aftermath.DEAD);
      try {
        step.run();
      } catch (IOException e) {
        // As planned.
      }
      if (wanted.is(HudiTable.open(copy))) {
        memory = copy;
        current = copy;
        return;
      }
    }
    throw new AssertionError("The step never leaves the table so");
  }

  /**
   * Writes the table as this version leaves it to the folder that the property names, as {@code
   * plans_of_N}, with its rows; then {@code tar czf plans_of_N.tar.gz plans_of_N}.
   */
  @Test
  @EnabledIfSystemProperty(named = "plans.folder", matches = ".+")
  void writeTable() throws IOException {
    MorTable table = MorTable.create(world, 2, MergeMode.EVENT_TIME_ORDERING);
    for (String partition :
        List.of("clean", "cluster", "compact1", "compact2", "commit", "rollback")) {
      table.commit(upsert(partition, "a", "1", 1), upsert(partition, "b", "1", 1));
    }
    table.commit(upsert("clean", "a", "2", 2), upsert("clean", "b", "2", 2));
    TakeOver dead = new TakeOver("dead", TIMEOUT, "", table.wall());
    plan(table);
    new TableCompaction(world, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, dead)
        .executePending();
    observe(table);
    table.commit(upsert("clean", "a", "3", 3));
    dieAt(
        () -> new Cleaner(world, CleanRetention.ofCommits(1), table.wall()).clean(table.clock()),
        now -> pending(now, Action.CLEAN) == 1);
    observe(table);

    new SavepointStore(world, table.wall()).createNewest("test", "kept");

    planClustering(table, "cluster");
    dieAt(
        () ->
            new TableClustering(world, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, dead)
                .executePending(),
        now ->
            now.timeline().pendingClusterings().stream()
                .anyMatch(instant -> instant instanceof Instant.Inflight));

    // Compactions: one that is under way, and one that is planned.
    table.commit(upsert("compact1", "a", "2", 2), upsert("compact1", "b", "2", 2));
    plan(table);
    dieAt(
        () ->
            new TableCompaction(world, BaseFileSettings.DEFAULT, MergeMemory.DEFAULT, dead)
                .executePending(),
        now ->
            now.timeline().pendingCompactions().stream()
                .anyMatch(instant -> instant instanceof Instant.Inflight));
    table.commit(upsert("compact2", "a", "2", 2), upsert("compact2", "b", null, 2));
    plan(table);

    // Writes: decided and not visible, rolled back in part, and undecided.
    dieAt(
        () -> table.commit(upsert("commit", "a", "2", 2)),
        now ->
            pending(now, Action.DELTA_COMMIT) == 1
                && now.storage().list(".hoodie/.hudi-lite/fate").stream()
                    .anyMatch(
                        fate ->
                            now.timeline()
                                .pendingWrites()
                                .get(now.timeline().pendingWrites().size() - 1)
                                .requestedTime()
                                .digits()
                                .equals(fate.name())));
    observe(table);
    TableCommit commits = new TableCommit(world, table.config(), table.clock());
    InstantTime failed = commits.begin(Action.DELTA_COMMIT);
    dieAt(
        () -> new TableCommit(world, table.config(), table.clock()).rollBack(failed),
        now -> pending(now, Action.ROLLBACK) == 1);
    observe(table);
    InstantTime undecided =
        new TableCommit(world, table.config(), table.clock()).begin(Action.DELTA_COMMIT);
    List<String> expected = table.expectedRows();
    table.write(undecided, List.of(upsert("undecided", "a", "1", 1)));

    Path target = Path.of(System.getProperty("plans.folder"));
    for (Map.Entry<String, byte[]> file : memory.snapshot().entrySet()) {
      Path path = target.resolve("plans").resolve(file.getKey());
      Files.createDirectories(path.getParent());
      Files.write(path, file.getValue());
    }
    Files.write(target.resolve("plans.expected.txt"), expected);
  }

  private void observe(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private void plan(MorTable table) throws IOException {
    observe(table);
    assertThat(
            new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
                .schedule(table.open(), table.clock().next()))
        .isInstanceOf(ScheduleResult.Planned.class);
  }

  private void planClustering(MorTable table, String partition) throws IOException {
    observe(table);
    assertThat(
            new ClusteringScheduler(
                    ClusteringTrigger.ALWAYS,
                    new ClusteringStrategy(
                        1L << 30,
                        600L << 20,
                        2L << 30,
                        30,
                        List.of("name"),
                        Layout.LINEAR,
                        PartitionFilter.of(List.of(partition))),
                    table.wall())
                .schedule(table.open(), table.clock().next()))
        .isInstanceOf(ClusteringScheduler.Result.Planned.class);
  }
}
