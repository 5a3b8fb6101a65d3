package io.hudilite.sink.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WriteReportCodecTest {
  private static final InstantTime INSTANT = new InstantTime("20260101000000000");

  @Test
  void reportsComeBack() {
    for (Optional<InstantTime> instant :
        List.of(Optional.<InstantTime>empty(), Optional.of(INSTANT))) {
      WriteReport report =
          new WriteReport(
              "run",
              "job",
              3,
              1,
              WriteReport.END_OF_INPUT,
              -1,
              instant,
              List.of(
                  WriteStat.ofNewBaseFile("f-0", "p", "f-0_1-0-1_1.parquet", 10, 100),
                  WriteStat.ofLogFile(INSTANT, "f-0", "", ".f-0.log.1", 1, "base", 1, 2, 3)),
              true,
              true);
      assertThat(WriteReportCodec.decode(WriteReportCodec.encode(report))).isEqualTo(report);
    }
  }

  @Test
  void laterVersionsAndDamageAreTold() {
    byte[] bytes =
        WriteReportCodec.encode(
            new WriteReport("run", "job", 0, 0, 1, 0, Optional.empty(), List.of(), false, false));
    byte[] later = bytes.clone();
    later[0] = 2;
    assertThatThrownBy(() -> WriteReportCodec.decode(later)).hasMessageContaining("version 2");
    byte[] cut = java.util.Arrays.copyOf(bytes, 5);
    assertThatThrownBy(() -> WriteReportCodec.decode(cut))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void reportOfThousandsOfFilesIsSmall() {
    List<WriteStat> stats =
        java.util.stream.IntStream.range(0, 10_000)
            .mapToObj(
                i -> {
                  String id = new java.util.UUID(i * 0x9E3779B97F4A7C15L, i * 31L) + "-0";
                  String log = "." + id + "_20260101000000000.log.1_0-0-1";
                  return WriteStat.ofLogFile(INSTANT, id, "dt=2026-01-01", log, 1, "", 1, 0, 3);
                })
            .toList();
    WriteReport report =
        new WriteReport("run", "job", 0, 0, 2, 1, Optional.of(INSTANT), stats, false, false);
    byte[] bytes = WriteReportCodec.encode(report);
    assertThat(bytes).hasSizeLessThan(2 << 20);
    assertThat(WriteReportCodec.decode(bytes)).isEqualTo(report);
  }
}
