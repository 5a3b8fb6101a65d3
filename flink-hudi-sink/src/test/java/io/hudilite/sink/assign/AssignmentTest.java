package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileId;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AssignmentTest {
  private final List<String> emitted = new ArrayList<>();
  private long groups;

  private Assignment assignment(MergeMode mode) {
    return new Assignment(
        new HeapIndex(),
        new GroupDictionary(),
        Set.of(),
        new FileGroupAllocator(
            1 << 20, 1, partition -> List.of(), () -> FileId.of(new UUID(7, groups++))),
        RecordMerger.of(mode),
        IndexScope.TABLE,
        Assignment.Rows.BY_MERGE_RULE,
        null,
        null,
        this::emit);
  }

  private void emit(HudiRecord record) {
    emitted.add(
        (record.isDelete() ? "delete " : "upsert ")
            + record.partitionPath()
            + (record.isMoved() ? " moved" : ""));
  }

  @Test
  void keyThatChangesItsPartitionMoves() throws Exception {
    Assignment assignment = assignment(MergeMode.EVENT_TIME_ORDERING);
    assignment.assign(Records.upsert("k", "p1", 1, "a"));
    assignment.assign(Records.upsert("k", "p1", 2, "b"));
    assertThat(assignment.assign(Records.upsert("k", "p2", 3, "c")))
        .isEqualTo(Assignment.Outcome.MOVED);
    assertThat(emitted)
        .containsExactly("upsert p1", "upsert p1", "delete p1 moved", "upsert p2 moved");
  }

  @Test
  void deletedKeyThatComesBackElsewhereMoves() throws Exception {
    Assignment assignment = assignment(MergeMode.EVENT_TIME_ORDERING);
    assignment.assign(Records.upsert("k", "p1", 1, "a"));
    assignment.assign(Records.delete("k", "p1", 2));
    assignment.assign(Records.upsert("k", "p2", 3, "b"));
    assertThat(emitted).containsExactly("upsert p1", "delete p1", "upsert p2 moved");
  }

  @Test
  void deletedKeyThatIsForgottenMayComeBackAnywhere() throws Exception {
    Assignment assignment = assignment(MergeMode.COMMIT_TIME_ORDERING);
    assignment.assign(Records.upsert("k", "p1", 0, "a"));
    assignment.assign(Records.delete("k", "p1", 0));
    assertThat(emitted).containsExactly("upsert p1", "delete p1 moved");
  }

  @Test
  void deletedKeyThatIsRememberedHasNotMoved() throws Exception {
    Assignment assignment = assignment(MergeMode.EVENT_TIME_ORDERING);
    assignment.assign(Records.upsert("k", "p1", 1, "a"));
    assignment.assign(Records.delete("k", "p1", 2));
    assignment.assign(Records.upsert("k", "p1", 3, "b"));
    assertThat(emitted).containsExactly("upsert p1", "delete p1", "upsert p1");
  }
}
