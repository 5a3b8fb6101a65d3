package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.before;
import static io.hudilite.sink.SinkJob.delete;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.table.BucketCountsStore;
import io.hudilite.sink.config.IndexKind;
import io.hudilite.sink.config.IndexScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that find file groups by a hash of the key; cases F13 and the like. */
class BucketIndexTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  @AfterEach
  void mendStorage() {
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});
  }

  private static SinkJob buckets(SinkJob job, int number) {
    return job.config(
        config ->
            config
                .index(IndexKind.BUCKET)
                .buckets(number)
                .indexScope(IndexScope.PARTITION)
                .batchSize(MemorySize.parse("4kb"))
                .commitRetries(0));
  }

  private static List<RowData> twenty(String version, long ts) {
    List<RowData> rows = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      rows.add(after("k" + i, version, ts, "p1"));
    }
    return rows;
  }

  private static List<Integer> bucketsOf(SinkJob job, String partition) throws IOException {
    List<Integer> found = new ArrayList<>();
    for (FileSlice slice : job.table().view().latestSlices(partition)) {
      found.add(BucketHash.bucketOf(slice.groupId().fileId()).orElseThrow());
    }
    return found;
  }

  @ParameterizedTest
  @EnumSource
  void f13OneGroupPerBucketAfterKills(TableType type) throws Exception {
    String path = FaultyFileSystem.SCHEME + "://" + folder.toUri().getPath();
    SinkJob job = buckets(SinkJob.on(path).type(type), 4);
    SinkJob killed = buckets(SinkJob.on(path).type(type), 4).flink("restart-strategy.type", "none");
    for (int i = 0; i < 3; i++) {
      FaultyFileSystem.set(failing("completed"));
      List<RowData> rows = twenty("killed", 0);
      assertThatThrownBy(() -> killed.run(rows)).isNotNull();
    }
    FaultyFileSystem.set(new FaultyFileSystem.Fault() {});

    job.run(twenty("1", 1));
    assertThat(job.rows()).hasSize(20).allMatch(row -> row.contains(", 1, 1, p1]"));
    job.parallelism(3).run(twenty("2", 2));
    assertThat(job.rows()).hasSize(20).allMatch(row -> row.contains(", 2, 2, p1]"));
    assertThat(bucketsOf(job, "p1")).containsExactlyInAnyOrder(0, 1, 2, 3);
    job.assertNothingIsPending();
  }

  /** Makes every commit fail. */
  private static FaultyFileSystem.Fault failing(String what) {
    return new FaultyFileSystem.Fault() {
      @Override
      public Pattern files() {
        return Pattern.compile(".*/timeline/\\d{17}_\\d{17}\\.(delta)?commit");
      }

      @Override
      public void before(int n) throws IOException {
        throw new IOException("planned: " + what);
      }
    };
  }

  @ParameterizedTest
  @EnumSource
  void changesFindTheirRowsWithoutState(TableType type) throws Exception {
    SinkJob job = buckets(SinkJob.on(folder).type(type), 3);
    job.run(
        List.of(insert("k1", "a", 1, "p1"), insert("k2", "a", 1, "p1"), insert("k3", "a", 5, "p2")),
        List.of(
            before("k1", "a", 1, "p1"),
            after("k1", "b", 2, "p2"), // moves, since the change says so
            after("k3", "late", 4, "p2"),
            delete("k2", "a", 2, "p1")));
    assertThat(job.rows()).containsExactly("[k1, b, 2, p2]", "[k3, a, 5, p2]");
    job.parallelism(1).run(List.of(after("k3", "c", 6, "p2"), insert("k4", "c", 6, "p1")));
    assertThat(job.rows()).containsExactly("[k1, b, 2, p2]", "[k3, c, 6, p2]", "[k4, c, 6, p1]");
    assertThat(job.table().config().properties())
        .containsEntry(TableConfig.INDEX_TYPE, "BUCKET")
        .containsEntry(TableConfig.BUCKETS, "3");
  }

  @Test
  void anotherNumberOfBucketsIsRefused() throws Exception {
    buckets(SinkJob.on(folder), 4).run(twenty("1", 1));
    assertThatThrownBy(() -> buckets(SinkJob.on(folder), 8).run(twenty("2", 2)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'8'")
        .hasMessageContaining("'4'");
    assertThatThrownBy(() -> SinkJob.on(folder).run(twenty("2", 2)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("4 buckets");

    // A table of another engine does not say: its files do.
    Path properties = folder.resolve(".hoodie/hoodie.properties");
    Files.writeString(
        properties,
        Files.readString(properties)
            .replaceAll("hoodie.bucket.index.num.buckets=.*\n", "")
            .replaceAll("hoodie.index.type=.*\n", ""));
    for (int wrong : new int[] {2, 8}) {
      assertThatThrownBy(() -> buckets(SinkJob.on(folder), wrong).run(twenty("2", 2)))
          .hasStackTraceContaining("has 4 buckets in partition 'p1'")
          .hasStackTraceContaining("'hoodie.bucket.index.num.buckets' is " + wrong);
    }
    SinkJob right = buckets(SinkJob.on(folder), 4);
    right.run(twenty("2", 2));
    assertThat(right.rows()).hasSize(20).allMatch(row -> row.contains(", 2, 2, p1]"));
  }

  @Test
  void partitionsHaveTheBucketsOfTheirExpression() throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .config(
                config ->
                    config
                        .index(IndexKind.BUCKET)
                        .buckets(new BucketCounts(1, "p1,5;p[0-9],3"))
                        .indexScope(IndexScope.PARTITION));
    for (int version = 1; version <= 2; version++) {
      List<RowData> rows = new ArrayList<>();
      for (String partition : List.of("p1", "p2", "other")) {
        for (int i = 0; i < 20; i++) {
          rows.add(after("k" + i, "v" + version, version, partition));
        }
      }
      job.run(rows);
    }
    assertThat(job.rows()).hasSize(60).allMatch(row -> row.contains(", v2, 2, "));
    assertThat(bucketsOf(job, "p1")).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    assertThat(bucketsOf(job, "p2")).containsExactlyInAnyOrder(0, 1, 2);
    assertThat(bucketsOf(job, "other")).containsExactly(0);

    Path configs = folder.resolve(".hoodie/.bucket_index/partition_bucket_index_meta/configs");
    assertThat(Files.readString(configs.resolve("00000000000000.hashing_config")))
        .as("where Hudi 1.1 looks")
        .contains("\"expressions\" : \"p1,5;p[0-9],3\"")
        .contains("\"defaultBucketNumber\" : 1")
        .contains("\"rule\" : \"regex\"");
    assertThat(BucketCountsStore.find(job.table().storage(), job.table().timeline()))
        .contains(new BucketCounts(1, "p1,5;p[0-9],3"));

    buckets(SinkJob.on(folder), 1).run(List.of(after("k0", "v3", 3, "p1"))); // as stored
    assertThat(bucketsOf(job, "p1")).hasSize(5);
    assertThatThrownBy(
            () ->
                job.config(
                        config ->
                            config.index(IndexKind.BUCKET).buckets(new BucketCounts(1, "p1,6")))
                    .run(List.of(after("k0", "v3", 3, "p1"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'p1,6'")
        .hasMessageContaining("'p1,5;p[0-9],3'");
    assertThatThrownBy(() -> new BucketCounts(1, "p{1,2},4"))
        .isInstanceOf(HudiTableException.class); // so does Hudi
    assertThatThrownBy(() -> new BucketCounts(1, "p1"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'p1'");
  }

  /** Hudi itself does not write the counts into the properties of a table. */
  @Test
  void countsThatAnotherEngineWroteDownMustBeGiven() throws Exception {
    Path properties = folder.resolve(".hoodie/hoodie.properties");
    SinkJob job = buckets(SinkJob.on(folder), 2);
    job.run(List.of(after("k0", "v1", 1, "p1")));
    Path configs = folder.resolve(".hoodie/.bucket_index/partition_bucket_index_meta/configs");
    Files.createDirectories(configs);
    Files.writeString(
        configs.resolve("00000000000000.hashing_config"),
        "{\"expressions\":\"p9,5\",\"defaultBucketNumber\":2,\"rule\":\"regex\",\"version\":1}");
    Files.writeString(
        properties,
        Files.readString(properties)
            .lines()
            .filter(line -> !line.contains("bucket") && !line.contains("hoodie.table.checksum"))
            .filter(line -> !line.startsWith("hoodie.index.type"))
            .collect(java.util.stream.Collectors.joining("\n", "", "\n")));
    assertThatThrownBy(() -> job.run(List.of(after("k0", "v2", 2, "p1"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'p9,5'");
    job.config(
        config ->
            config
                .index(IndexKind.BUCKET)
                .buckets(new BucketCounts(2, "p9,5"))
                .indexScope(IndexScope.PARTITION));
    job.run(List.of(after("k0", "v2", 2, "p1")));
    assertThat(job.rows()).containsExactly("[k0, v2, 2, p1]");
    assertThatThrownBy(() -> SinkJob.on(folder).run(List.of(after("k0", "v3", 3, "p1"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("is in p9,5; else 2 buckets")
        .hasMessageContaining("Set 'index.type' to BUCKET");
    Files.delete(configs.resolve("00000000000000.hashing_config"));
    assertThatThrownBy(() -> SinkJob.on(folder).run(List.of(after("k0", "v3", 3, "p1"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("called as buckets are")
        .hasMessageContaining("'hoodie.bucket.index.num.buckets'");
  }

  @Test
  void countsThatAnotherEngineRescaledToAreRefusedWithBothNumbers() throws Exception {
    SinkJob job =
        SinkJob.on(folder)
            .config(
                config ->
                    config
                        .index(IndexKind.BUCKET)
                        .buckets(new BucketCounts(2, "p1,5"))
                        .indexScope(IndexScope.PARTITION));
    job.run(List.of(after("k0", "v1", 1, "p1")));
    Files.writeString(
        folder.resolve(
            ".hoodie/.bucket_index/partition_bucket_index_meta/configs/20270101000000000.hashing_config"),
        "{\"expressions\":\"p1,8\",\"defaultBucketNumber\":2,\"rule\":\"regex\",\"version\":1}");
    assertThatThrownBy(() -> job.run(List.of(after("k0", "v2", 2, "p1"))))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'p1,8; else 2'")
        .hasMessageContaining("'p1,5; else 2'")
        .hasMessageContaining("hoodie.properties");
  }
}
