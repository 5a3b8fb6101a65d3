package io.hudilite.sink.assign;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.Clusterer;
import io.hudilite.core.clustering.ClusteringExecution;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTask;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.ClusteringWatch;
import io.hudilite.core.compact.Begun;
import io.hudilite.core.compact.CompletionLock;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import io.hudilite.sink.record.Records;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusteringFollowerTest {
  private final InMemoryStorage memory = new InMemoryStorage();

  /** Key and file id of what was written. */
  private final List<String> emitted = new ArrayList<>();

  private final GroupDictionary groups = new GroupDictionary();
  private final HeapIndex index = new HeapIndex();
  private final FileGroupAllocator allocator =
      new FileGroupAllocator(
          1 << 20, 1, partition -> List.of(), () -> FileId.of(UUID.randomUUID()));
  private MorTable table;
  private Assignment assignment;
  private ClusteringFollower follower;
  private ClusteringExecution execution;
  private Map<Integer, List<WriteStat>> results;

  @BeforeEach
  void clusterATableAsFarAsItsEnd() throws Exception {
    table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    table.commit(
        upsert("p1", "k1", "a", 5), upsert("p1", "k2", "b", 5), upsert("p1", "k4", "c", 5));
    table.commit(delete("p1", "k4", 8));
    assignment =
        new Assignment(
            index,
            groups,
            Set.of(),
            allocator,
            RecordMerger.of(MergeMode.EVENT_TIME_ORDERING),
            IndexScope.TABLE,
            Assignment.Rows.BY_MERGE_RULE,
            null,
            null,
            record -> emitted.add(record.recordKey() + " " + record.fileId()));
    IndexBootstrap bootstrap = IndexBootstrap.open(memory);
    IndexFiller filler =
        new IndexFiller(index, assignment, groups, IndexScope.TABLE, key -> true, true);
    bootstrap.scan(IndexCoverage.NOTHING, filler::of);
    follower =
        new ClusteringFollower(
            memory,
            new ClusteringWatch(memory, table.config(), bootstrap.end()),
            IndexScope.TABLE,
            groups,
            index,
            hash -> true,
            allocator);
    assignment.follow(follower);
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    InstantTime instant =
        ((ClusteringScheduler.Result.Planned)
                new ClusteringScheduler(
                        ClusteringTrigger.ALWAYS, ClusteringStrategy.DEFAULT, table.wall())
                    .schedule(table.open(), table.clock().next()))
            .instant();
    execution =
        ((Begun.Started<ClusteringExecution>)
                ClusteringExecution.begin(
                    table.open(),
                    instant,
                    table.clock(),
                    new TakeOver("test", Duration.ofMinutes(20), "", table.wall()),
                    CompletionLock.NONE))
            .execution();
    results = new TreeMap<>();
    for (ClusteringTask task : execution.tasks()) {
      results.put(
          task.number(),
          new Clusterer(table.open(), BaseFileSettings.DEFAULT, MergeMemory.DEFAULT)
              .cluster(task, () -> false));
    }
  }

  private String group(String key) throws Exception {
    index.select(new RecordKey().set(record(key), IndexScope.TABLE));
    return groups.of(index.get().group()).id().fileId().value();
  }

  private static HudiRecord record(String key) {
    return Records.upsert(key, "p1", 9, "x");
  }

  private String newGroup() throws IOException {
    List<FileSlice> slices = table.open().view().latestSlices("p1");
    assertThat(slices).hasSize(1);
    return slices.get(0).groupId().fileId().value();
  }

  private void barrier() throws Exception {
    follower.follow(assignment::assign);
  }

  @Test
  void rowsWaitForAnAnnouncedClusteringAndThenGoWhereTheirKeysAre() throws Exception {
    barrier();
    assertThat(assignment.assign(record("k1"))).isEqualTo(Assignment.Outcome.KNOWN);
    emitted.clear();

    execution.announce();
    barrier();
    assertThat(assignment.assign(record("k1"))).isEqualTo(Assignment.Outcome.WAITS);
    assertThat(assignment.assign(Records.upsert("new", "p1", 1, "x")))
        .isEqualTo(Assignment.Outcome.NEW);
    assertThat(emitted).hasSize(1);
    assertThat(execution.complete(results)).isEqualTo(CommitOutcome.COMMITTED);
    barrier();
    assertThat(emitted).hasSize(2).last().isEqualTo("k1 " + newGroup());
    assertThat(assignment.assign(record("k2"))).isEqualTo(Assignment.Outcome.KNOWN);
    assertThat(emitted).last().isEqualTo("k2 " + newGroup());
    assertThat(group("k1")).isEqualTo(group("k2")).isEqualTo(newGroup());
  }

  @Test
  void rowsGoWhereTheyWereWhenNothingIsDecidedByTheNextBarrier() throws Exception {
    execution.announce();
    barrier();
    assignment.assign(record("k1"));
    String old = group("k1");
    barrier();
    assertThat(emitted).containsExactly("k1 " + old);
    assertThat(group("k1")).isEqualTo(old);
  }

  @Test
  void whatWasDeletedBeforeStaysDeletedForOlderRows() throws Exception {
    execution.complete(results);
    barrier();
    assertThat(assignment.assign(Records.upsert("k4", "p1", 7, "x")))
        .isEqualTo(Assignment.Outcome.LATE);
    assertThat(emitted).isEmpty();
    assertThat(assignment.assign(record("k4"))).isEqualTo(Assignment.Outcome.NEW);
    assertThat(assignment.assign(record("k4"))).isEqualTo(Assignment.Outcome.KNOWN);
    assertThat(emitted).hasSize(2);
  }

  @Test
  void groupsThatLeaveGetNoMoreKeys() throws Exception {
    assignment.assign(Records.upsert("n1", "p1", 1, "x"));
    assignment.assign(Records.upsert("n2", "p1", 1, "x"));
    assertThat(group("n2")).isEqualTo(group("n1"));
    allocator.retire(Set.of(new FileGroupId("p1", new FileId(group("n1")))));
    assignment.assign(Records.upsert("n3", "p1", 1, "x"));
    assertThat(group("n3")).isNotEqualTo(group("n1"));
  }
}
