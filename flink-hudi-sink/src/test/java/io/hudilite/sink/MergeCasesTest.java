package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.before;
import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Cases about which version of a row counts: F18 to F25. */
class MergeCasesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void f18OlderRowNeverBeatsANewerOne(TableType type) throws Exception {
    SinkJob job = SinkJob.on(folder).type(type);
    job.run(List.of(insert("k1", "v2", 2, "p1")), List.of(after("k1", "v5", 5, "p1")));
    assertThat(job.rows()).containsExactly("[k1, v5, 5, p1]");
    job.run(List.of(after("k1", "v1", 1, "p1")), List.of(after("k1", "v3", 3, "p1")));
    assertThat(job.rows()).containsExactly("[k1, v5, 5, p1]");
    job.assertNothingIsPending();
  }

  @ParameterizedTest
  @EnumSource
  void f19OldDeleteDoesNotRemoveANewerRow(TableType type) throws Exception {
    SinkJob job = SinkJob.on(folder).type(type);
    job.run(List.of(insert("k1", "a", 10, "p1"), delete("k1", "a", 5, "p1")));
    assertThat(job.rows()).containsExactly("[k1, a, 10, p1]");
    job.run(List.of(delete("k1", "a", 5, "p1")));
    assertThat(job.rows()).containsExactly("[k1, a, 10, p1]");
    job.run(List.of(delete("k1", "a", 10, "p1")));
    assertThat(job.rows()).isEmpty();
    if (type == TableType.COPY_ON_WRITE) {
      return; // a base file has no place for a tombstone that the next job could read
    }
    // The tombstone is read back by the next job: what is older stays away, what is newer comes.
    job.run(List.of(insert("k1", "late", 9, "p1")));
    assertThat(job.rows()).isEmpty();
    job.run(List.of(insert("k1", "back", 11, "p1")));
    assertThat(job.rows()).containsExactly("[k1, back, 11, p1]");
  }

  @ParameterizedTest
  @EnumSource
  void f20WholeChangeStreamInOneCheckpointAndInSeveral(TableType type) throws Exception {
    List<RowData> changes =
        List.of(
            insert("7", "5.18", 1000, "p1"),
            before("7", "5.18", 1000, "p1"),
            after("7", "5.17", 2000, "p1"),
            delete("7", "5.17", 3000, "p1"),
            insert("8", "1.00", 1000, "p1"));
    SinkJob together = SinkJob.on(folder.resolve("together")).type(type);
    together.run(changes);
    assertThat(together.rows()).containsExactly("[8, 1.00, 1000, p1]");
    SinkJob apart = SinkJob.on(folder.resolve("apart")).type(type);
    apart.run(changes.subList(0, 1), changes.subList(1, 2), changes.subList(2, 3));
    assertThat(apart.rows()).containsExactly("[7, 5.17, 2000, p1]");
    apart.run(changes.subList(3, 4), changes.subList(4, 5));
    assertThat(apart.rows()).containsExactly("[8, 1.00, 1000, p1]");
  }

  @ParameterizedTest
  @EnumSource
  void f21OfEqualOrderingValuesTheLastCounts(TableType type) throws Exception {
    SinkJob job = SinkJob.on(folder.resolve("event")).type(type);
    job.run(
        List.of(insert("k1", "a", 5, "p1"), insert("k1", "b", 5, "p1")),
        List.of(insert("k1", "c", 5, "p1")));
    assertThat(job.rows()).containsExactly("[k1, c, 5, p1]");
    SinkJob commitTime = SinkJob.on(folder.resolve("commit")).type(type).commitTime();
    commitTime.run(List.of(insert("k2", "x", 9, "p1")), List.of(insert("k2", "y", 1, "p1")));
    assertThat(commitTime.rows()).containsExactly("[k2, y, 1, p1]");
  }

  @ParameterizedTest
  @EnumSource
  void f23KeyThatChangesItsPartitionIsThereOnce(TableType type) throws Exception {
    SinkJob job = SinkJob.on(folder).type(type);
    job.run(List.of(insert("k1", "a", 1, "p1")), List.of(after("k1", "b", 2, "p2")));
    assertThat(job.rows()).containsExactly("[k1, b, 2, p2]");
    // A late row does not move it back, also after the index was read from the table.
    job.run(List.of(after("k1", "late", 1, "p1")));
    assertThat(job.rows()).containsExactly("[k1, b, 2, p2]");
    job.run(List.of(after("k1", "c", 3, "p1"), after("k1", "d", 4, "p2")));
    assertThat(job.rows()).containsExactly("[k1, d, 4, p2]");
  }

  /** The state index over the table, in each partition, and buckets. */
  private SinkJob withIndex(TableType type, String index, String name) {
    SinkJob job = SinkJob.on(folder.resolve(name + index)).type(type);
    return index.equals("BUCKET")
        ? job.config(
            config -> config.index(IndexKind.BUCKET).buckets(2).indexScope(IndexScope.PARTITION))
        : job.config(config -> config.indexScope(IndexScope.valueOf(index)));
  }

  @ParameterizedTest
  @CsvSource({
    "MERGE_ON_READ, TABLE",
    "MERGE_ON_READ, PARTITION",
    "MERGE_ON_READ, BUCKET",
    "COPY_ON_WRITE, TABLE",
    "COPY_ON_WRITE, BUCKET"
  })
  void f24FullChangePairMovesTheRowWithEachIndex(TableType type, String index) throws Exception {
    RowData open = insert("k1", "open", 1, "p_open");
    RowData before = before("k1", "open", 1, "p_open");
    RowData after = after("k1", "done", 2, "p_done");
    SinkJob apart = withIndex(type, index, "apart");
    apart.run(List.of(open), List.of(before, after));
    SinkJob together = withIndex(type, index, "together");
    together.run(List.of(open, before, after));
    for (SinkJob job : List.of(apart, together)) {
      assertThat(job.rows()).containsExactly("[k1, done, 2, p_done]");
      if (type == TableType.MERGE_ON_READ) {
        Compactions.compact(job.table().storage());
        assertThat(job.rows()).as("compacted").containsExactly("[k1, done, 2, p_done]");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MERGE_ON_READ, TABLE, true",
    "MERGE_ON_READ, TABLE, false",
    "MERGE_ON_READ, BUCKET, true",
    "MERGE_ON_READ, BUCKET, false",
    "COPY_ON_WRITE, PARTITION, true",
    "COPY_ON_WRITE, TABLE, false",
    "COPY_ON_WRITE, BUCKET, true"
  })
  void f25InsertAndDeleteInOneCommitFlushedTogetherAndApart(
      TableType type, String index, boolean isOrdered) throws Exception {
    for (String size : List.of("1mb", "1kb")) {
      IndexKind kind = index.equals("BUCKET") ? IndexKind.BUCKET : IndexKind.STATE;
      IndexScope scope = index.equals("TABLE") ? IndexScope.TABLE : IndexScope.PARTITION;
      SinkJob job =
          SinkJob.on(folder.resolve(size))
              .type(type)
              .config(
                  config ->
                      config
                          .index(kind)
                          .indexScope(scope)
                          .buckets(2)
                          .batchSize(MemorySize.parse(size)));
      if (!isOrdered) {
        job.commitTime();
      }
      job.run(
          List.of(
              insert("k1", "a", 1, "p1"), delete("k1", "a", 2, "p1"), insert("k2", "a", 1, "p1")),
          List.of(
              delete("k2", "a", 2, "p1"),
              insert("k2", "b", 3, "p1"),
              insert("k3", "x", 1, "p1"),
              delete("k3", "x", 2, "p1"),
              insert("k3", "y", 3, "p1")));
      assertThat(job.rows()).as(size).containsExactly("[k2, b, 3, p1]", "[k3, y, 3, p1]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void unpartitionedTable(TableType type) throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .type(type)
            .schema(new TableSchema(SinkJob.ROW_TYPE, List.of("id"), List.of(), List.of("ts")));
    job.run(
        List.of(insert("k1", "a", 1, "p1"), insert("k2", "b", 1, "p1")),
        List.of(after("k1", "c", 2, "p2")));
    assertThat(job.rows()).containsExactly("[k1, c, 2, p2]", "[k2, b, 1, p1]");
  }
}
