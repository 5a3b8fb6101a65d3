package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class InstantCodecTest {
  @Provide
  Arbitrary<WriteStat> stats() {
    Arbitrary<String> names = Arbitraries.strings().alpha().numeric().ofMinLength(1).ofMaxLength(9);
    Arbitrary<String> partitions = Arbitraries.of("", "dt=1", "a/b", "län=ä%20");
    Arbitrary<Long> counts = Arbitraries.longs().between(-1, Long.MAX_VALUE);
    Arbitrary<WriteStat> logs =
        Combinators.combine(names, partitions, counts, counts, counts)
            .as(
                (name, partition, upserts, deletes, size) ->
                    WriteStat.ofLogFile(
                        new InstantTime("20260101000000000"),
                        name,
                        partition,
                        "." + name + ".log.1",
                        1,
                        "",
                        upserts,
                        deletes,
                        size));
    Arbitrary<WriteStat> bases =
        Combinators.combine(names, partitions, counts, counts)
            .as(
                (name, partition, rows, size) ->
                    WriteStat.ofRewrittenBaseFile(
                        name,
                        partition,
                        name + ".parquet",
                        new InstantTime("20260101000000000"),
                        "before.parquet",
                        rows,
                        1,
                        2,
                        3,
                        size));
    return Arbitraries.oneOf(logs, bases);
  }

  @Property(tries = 100)
  void writeStatsSurviveState(@ForAll List<@net.jqwik.api.From("stats") WriteStat> stats) {
    assertThat(WriteStatCodec.decode(WriteStatCodec.encode(stats))).isEqualTo(stats);
  }

  @Property(tries = 50)
  void commitsAreReadAsWritten(
      @ForAll List<@net.jqwik.api.From("stats") WriteStat> stats, @ForAll Map<String, String> extra)
      throws IOException {
    CommitMetadata metadata = CommitMetadata.ofWrite(CommitMetadata.UPSERT, stats, extra);

    byte[] bytes = CommitMetadataCodec.encode(metadata, Action.DELTA_COMMIT);
    CommitMetadata read = CommitMetadataCodec.decode(bytes, "test");

    assertThat(read.writeStats()).containsExactlyInAnyOrderElementsOf(stats);
    assertThat(read.extraMetadata()).isEqualTo(extra);
    assertThat(CommitMetadataCodec.encode(read, Action.DELTA_COMMIT)).isEqualTo(bytes);
  }

  @Test
  void replacedFileGroupsAreKept() throws IOException {
    CommitMetadata metadata =
        new CommitMetadata(
            List.of(),
            false,
            Map.of(CommitMetadata.SCHEMA, "{}"),
            CommitMetadata.CLUSTER,
            Map.of("dt=1", List.of("a-0", "b-0")));

    byte[] bytes = CommitMetadataCodec.encode(metadata, Action.CLUSTERING);

    assertThat(CommitMetadataCodec.decode(bytes, "test")).isEqualTo(metadata);
    assertThat(metadata.isTableService()).isTrue();
  }

  @Test
  void compactionPlansAreReadAsWritten() throws IOException {
    CompactionPlan plan =
        new CompactionPlan(
            List.of(
                new CompactionPlan.Operation(
                    "dt=1",
                    "a-0",
                    "20260101000000000",
                    "",
                    List.of(".a-0_20260101000000000.log.1_0-1-0"),
                    Map.of("TOTAL_LOG_FILES_SIZE", 12.0))));

    assertThat(CompactionPlanCodec.decode(CompactionPlanCodec.encode(plan), "test"))
        .isEqualTo(plan);
  }

  @Test
  void rollbackPlansAreReadAsWritten() throws IOException {
    RollbackPlan plan =
        new RollbackPlan(
            new InstantTime("20260101000000000"),
            "deltacommit",
            Map.of("", List.of("file:/t/a"), "dt=1", List.of("file:/t/dt=1/b", "c")));

    assertThat(RollbackCodec.decodePlan(RollbackCodec.encodePlan(plan), "test")).isEqualTo(plan);
  }

  @Test
  void damageIsNamed() {
    byte[] bytes =
        CommitMetadataCodec.encode(
            CommitMetadata.ofWrite(CommitMetadata.UPSERT, List.of(), Map.of("a", "b")),
            Action.COMMIT);

    for (int length = 1; length < bytes.length; length++) {
      byte[] torn = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> CommitMetadataCodec.decode(torn, "t_c.commit"))
          .isInstanceOf(CorruptInstantException.class)
          .hasMessageStartingWith("t_c.commit: ");
    }
    assertThatThrownBy(
            () -> CommitMetadataCodec.decode("[1]".getBytes(StandardCharsets.UTF_8), "t.commit"))
        .isInstanceOf(CorruptInstantException.class)
        .hasMessageContaining("ARRAY");
  }

  @Test
  void emptyCommitFileHasNoFiles() throws IOException {
    assertThat(CommitMetadataCodec.decode(new byte[0], "x").writeStats()).isEmpty();
  }
}
