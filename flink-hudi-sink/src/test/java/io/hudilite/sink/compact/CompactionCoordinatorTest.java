package io.hudilite.sink.compact;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.sink.FaultyFileSystem;
import io.hudilite.sink.commit.CommitSignal;
import io.hudilite.sink.commit.Signals;
import io.hudilite.sink.compact.CompactionMessages.Reply;
import io.hudilite.sink.compact.CompactionMessages.Worker;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.flink.metrics.groups.OperatorCoordinatorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;
import org.apache.flink.runtime.operators.coordination.CoordinatorStoreImpl;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The coordinator, without a job around it. */
class CompactionCoordinatorTest {
  private static final long CHECKPOINT = 5;
  private static final Worker WORKER = new Worker(0, 0);

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private static OperatorCoordinator.Context context(CoordinatorStore store) {
    OperatorID operator = new OperatorID();
    return (OperatorCoordinator.Context)
        Proxy.newProxyInstance(
            CompactionCoordinatorTest.class.getClassLoader(),
            new Class<?>[] {OperatorCoordinator.Context.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getCoordinatorStore" -> store;
                  case "getOperatorId" -> operator;
                  case "getUserCodeClassloader" -> CompactionCoordinatorTest.class.getClassLoader();
                  case "metricGroup" -> metrics();
                  case "failJob" -> throw new AssertionError("failed", (Throwable) arguments[0]);
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private static Object metrics() {
    return Proxy.newProxyInstance(
        CompactionCoordinatorTest.class.getClassLoader(),
        new Class<?>[] {OperatorCoordinatorMetricGroup.class},
        (proxy, method, arguments) -> {
          assertThat(method.getName()).isEqualTo("addGroup");
          return new UnregisteredMetricsGroup();
        });
  }

  private static Reply ask(CompactionCoordinator coordinator) throws Exception {
    return Reply.of(
        coordinator
            .handleCoordinationRequest(new CompactionMessages.Drain(WORKER, CHECKPOINT))
            .get(60, TimeUnit.SECONDS));
  }

  @Test
  void writersEndOnlyWhenWhatFollowsTheLastCommitIsTidiedUp() throws Exception {
    MorTable table = MorTable.create(new LocalStorage(folder), 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 1; i <= 4; i++) {
      table.commit(upsert("p1", "k1", "v" + i, i));
      Compactions.compact(new LocalStorage(folder), table.clock());
    }
    table.commit(upsert("p1", "k1", "v5", 5));
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch held = new CountDownLatch(1);
    FaultyFileSystem.set(
        new FaultyFileSystem.Fault() {
          @Override
          public Pattern files() {
            return Pattern.compile(".*\\.clean\\.requested.*");
          }

          @Override
          public void before(int n) throws Exception {
            begun.countDown();
            assertThat(held.await(80, TimeUnit.SECONDS)).isTrue();
          }
        });
    CoordinatorStore store = new CoordinatorStoreImpl();
    CompactionCoordinator coordinator =
        (CompactionCoordinator)
            CompactionCoordinator.provider(
                    new OperatorID(),
                    new CompactionSettings(
                        FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath(),
                        "run",
                        CompactionSettings.Mode.BESIDE_WRITER,
                        CompactionConfig.OFF,
                        new HousekeepingConfig(
                            true, CleanRetention.ofCommits(1), true, ArchiveLimits.DEFAULT),
                        BaseFileSettings.Compression.SNAPPY,
                        1 << 20,
                        1 << 16))
                .create(context(store));
    coordinator.start();
    CommitSignal signal = CommitSignal.of(store, "run");
    Signals.ready(signal, table.clock());
    assertThat(ask(coordinator)).as("not caught up").isInstanceOf(Reply.Idle.class);
    Signals.committed(signal, table.clock().next());
    assertThat(begun.await(80, TimeUnit.SECONDS)).isTrue();
    Signals.caughtUp(signal, CHECKPOINT);
    assertThat(ask(coordinator)).as("a clean is under way").isInstanceOf(Reply.Idle.class);

    held.countDown();
    for (int i = 0; !(ask(coordinator) instanceof Reply.Drained); i++) {
      assertThat(i).isLessThan(60);
    }
    assertThat(table.open().timeline().instants())
        .filteredOn(instant -> instant.action() == Action.CLEAN)
        .isNotEmpty()
        .allMatch(Instant::isCompleted);
    coordinator.close();
  }
}
