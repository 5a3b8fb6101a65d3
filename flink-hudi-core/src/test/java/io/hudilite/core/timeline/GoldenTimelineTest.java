package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Timelines that real Hudi wrote. */
final class GoldenTimelineTest {
  @TempDir Path folder;

  private Storage storage;

  private TimelineStore open(String fixture) throws IOException {
    storage = new LocalStorage(Fixtures.unpack(fixture, folder));
    return new TimelineStore(storage, TableConfigStore.load(storage));
  }

  @Test
  void compactionIsToldFromADeltaCommit() throws IOException {
    TimelineStore store = open("mor_compacted");
    Timeline timeline = store.load();

    assertThat(timeline.completedWrites())
        .extracting(timeline::startedAs)
        .containsExactly(
            Action.DELTA_COMMIT,
            Action.DELTA_COMMIT,
            Action.DELTA_COMMIT,
            Action.COMPACTION,
            Action.DELTA_COMMIT);
    CommitMetadata compaction = store.readCommit(timeline.completedWrites().get(3));
    assertThat(compaction.isTableService()).isTrue();
    assertThat(compaction.isCompaction()).isTrue();
    CommitMetadata delta = store.readCommit(timeline.completedWrites().get(1));
    assertThat(delta.operationType()).isEqualTo("UPSERT");
    assertThat(delta.schema().orElseThrow()).contains("mor_compacted_record");
    assertThat(delta.writeStats())
        .contains(
            WriteStat.ofLogFile(
                new InstantTime("20261129223433430"),
                "30dfed80-4cf5-4e43-ae10-926787f9857f-0",
                "dt=2025-10-19",
                ".30dfed80-4cf5-4e43-ae10-926787f9857f-0_20261129223433430.log.1_0-421-437",
                1,
                "",
                1,
                0,
                1280));
  }

  @ParameterizedTest
  @ValueSource(strings = {"mor_compacted", "cow_clustered", "v6_cow", "v9_mor", "mor_savepoint"})
  void statsGiveTheExactSizes(String fixture) throws IOException {
    TimelineStore store = open(fixture);
    int files = 0;

    for (Instant.Completed instant : store.load().completedWrites()) {
      for (WriteStat stat : store.readCommit(instant).writeStats()) {
        try (var in = storage.open(stat.path())) {
          assertThat(in.length()).as(stat.path()).isEqualTo(stat.fileSizeInBytes());
          files++;
        }
      }
    }
    assertThat(files).isPositive();
  }

  @Test
  void clusteringReplacesFileGroups() throws IOException {
    TimelineStore store = open("cow_clustered");
    Timeline timeline = store.load();

    assertThat(timeline.completedReplacements()).hasSize(1);
    Instant.Completed clustering = timeline.completedReplacements().get(0);
    assertThat(timeline.startedAs(clustering)).isEqualTo(Action.CLUSTERING);
    CommitMetadata metadata = store.readCommit(clustering);
    assertThat(metadata.isTableService()).isTrue();
    assertThat(metadata.replacedFileIds()).containsOnlyKeys("dt=2025-10-18", "dt=2025-10-19");
  }

  @Test
  void pendingCompactionHasItsPlan() throws IOException {
    TimelineStore store = open("mor_pending_compaction");
    Timeline timeline = store.load();

    InstantTime requested = new InstantTime("20261129223919060");
    assertThat(timeline.pendingCompactions())
        .containsExactly(new Instant.Requested(requested, Action.COMPACTION));
    List<CompactionPlan.Operation> operations = store.readCompactionPlan(requested).operations();
    assertThat(operations)
        .extracting(CompactionPlan.Operation::partitionPath)
        .containsExactly("dt=2025-10-18", "dt=2025-10-19");
    assertThat(operations.get(0).logFileNames()).hasSize(2);
    assertThat(operations.get(0).metrics()).containsEntry("TOTAL_LOG_FILES_SIZE", 2785.0);
  }

  @Test
  void failedWriterIsPending() throws IOException {
    Timeline timeline = open("mor_failed_writer").load();

    InstantTime failed = new InstantTime("20261129224526393");
    assertThat(timeline.pendingWrites())
        .containsExactly(new Instant.Inflight(failed, Action.DELTA_COMMIT));
    assertThat(timeline.isCommitted(failed)).isFalse();
  }

  @Test
  void rollbackOfHudiIsRead() throws IOException {
    TimelineStore store = open("mor_rolled_back");
    Timeline timeline = store.load();
    InstantTime target = new InstantTime("20261129224836380");

    RollbackPlan plan = store.readRollbackPlan(new InstantTime("20261129224841772"));

    assertThat(plan.target()).isEqualTo(target);
    assertThat(plan.action()).isEqualTo("deltacommit");
    assertThat(timeline.isCommitted(target)).isFalse();
  }

  @Test
  void versionSixLiesBesideItsProperties() throws IOException {
    TimelineStore store = open("v6_cow");
    Timeline timeline = store.load();

    assertThat(timeline.completedWrites()).hasSize(5);
    assertThat(timeline.pendingWrites()).isEmpty();
    CommitMetadata first = store.readCommit(timeline.completedWrites().get(0));
    assertThat(first.schema().orElseThrow()).contains("order_id");
    assertThat(first.writeStats()).extracting(WriteStat::numWrites).containsExactly(2L, 2L);
  }

  @Test
  void savepointAndRestoreOfRealHudiAreReadAndWrittenTheSame() throws IOException {
    TimelineStore store = open("mor_restored");
    Timeline timeline = store.load();
    InstantTime restore =
        timeline.instants().stream()
            .filter(instant -> instant.action() == Action.RESTORE)
            .findFirst()
            .orElseThrow()
            .requestedTime();
    RestorePlan plan = store.readRestorePlan(restore);
    assertThat(plan.targets()).hasSize(2).allMatch(target -> target.action().equals("deltacommit"));
    assertThat(plan.targets().get(0).instant()).isGreaterThan(plan.targets().get(1).instant());
    assertThat(RestoreCodec.decodePlan(RestoreCodec.encodePlan(plan), "plan")).isEqualTo(plan);

    Instant.Completed savepoint =
        timeline.instants().stream()
            .filter(instant -> instant.action() == Action.SAVEPOINT)
            .map(Instant.Completed.class::cast)
            .findFirst()
            .orElseThrow();
    assertThat(plan.savepoint()).isEqualTo(savepoint.requestedTime().digits());
    SavepointMetadata metadata = store.readSavepoint(savepoint);
    assertThat(metadata.files()).hasSize(2);
    assertThat(SavepointCodec.decode(SavepointCodec.encode(metadata), "savepoint"))
        .isEqualTo(metadata);
  }
}
