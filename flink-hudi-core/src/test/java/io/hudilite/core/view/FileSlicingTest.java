package io.hudilite.core.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Slices from numbers: instants 1 to 99, files of one group. */
final class FileSlicingTest {
  private static final FileId FILE = new FileId("f-0");
  private static final FileGroupId GROUP = new FileGroupId("p", FILE);

  @Test
  void logFileBelongsToTheSliceThatHadBegunWhenItCompleted() {
    Timeline timeline =
        Timeline.of(List.of(delta(10, 11), delta(20, 45), delta(30, 31), compaction(40, 50)));

    assertThat(slices(timeline, base(10), log(20), log(30), base(40)))
        .containsExactly("40: base 40, logs [20]", "10: base 10, logs [30]");
  }

  @Test
  void filesOfPendingAndFailedInstantsAreNotSeen() {
    Timeline timeline =
        Timeline.of(List.of(delta(10, 11), pending(20, Action.DELTA_COMMIT), delta(30, 31)));

    assertThat(slices(timeline, base(10), log(20), base(20), log(30), log(25)))
        .as("20 is under way, 25 is on no timeline, and its base file hides nothing")
        .containsExactly("10: base 10, logs [30]");
  }

  @Test
  void filesOlderThanTheTimelineAreArchivedAndSeen() {
    Timeline timeline = Timeline.of(List.of(delta(30, 31)));

    assertThat(slices(timeline, base(10), log(20), log(30)))
        .containsExactly("10: base 10, logs [20, 30]");
  }

  @Test
  void plannedCompactionBeginsASliceThatReadersMergeWithTheOneBefore() {
    Timeline timeline =
        Timeline.of(
            List.of(delta(10, 11), delta(20, 21), pending(30, Action.COMPACTION), delta(40, 41)));
    FileSlicing slicing = new FileSlicing(timeline, Map.of(GROUP, time(30)), TableVersion.EIGHT);
    FileGroup group = slicing.groups("p", List.of(base(10), log(20), log(40))).get(0);

    assertThat(group.slices().stream().map(FileSlicingTest::text))
        .containsExactly("30: logs [40]", "10: base 10, logs [20]");
    assertThat(slicing.latestMerged(group).map(FileSlicingTest::text))
        .contains("10: base 10, logs [20, 40]");
  }

  @Test
  void compactionUnderWayHidesNothingByItsBaseFile() {
    Timeline timeline =
        Timeline.of(List.of(delta(10, 11), delta(20, 21), pending(30, Action.COMPACTION)));
    FileSlicing slicing = new FileSlicing(timeline, Map.of(GROUP, time(30)), TableVersion.EIGHT);
    FileGroup group = slicing.groups("p", List.of(base(10), log(20), base(30))).get(0);

    assertThat(slicing.latestMerged(group).map(FileSlicingTest::text))
        .contains("10: base 10, logs [20]");
  }

  @Test
  void groupOfLogFilesAloneIsOneSlice() {
    Timeline timeline = Timeline.of(List.of(delta(10, 35), delta(20, 21)));

    assertThat(slices(timeline, log(20), log(10))).containsExactly("10: logs [10, 20]");
  }

  @Test
  void archivedLogFilesBelongToTheSliceThatHadBegunWhenTheyCompleted() {
    FileSlicing slicing =
        new FileSlicing(
            Timeline.of(List.of(delta(50, 51))),
            Map.of(),
            TableVersion.EIGHT,
            requested -> Optional.of(requested.equals(time(20)) ? time(35) : time(26)));
    FileGroup group = slicing.groups("p", List.of(base(10), log(20), log(25), base(30))).get(0);

    assertThat(group.slices().stream().map(FileSlicingTest::text))
        .containsExactly("30: base 30, logs [20]", "10: base 10, logs [25]");
  }

  @Test
  void inVersionSixTheNameTellsTheSlice() {
    Timeline timeline =
        Timeline.of(
            List.of(delta(10, 11), delta(20, 21), pending(30, Action.COMPACTION), delta(40, 41)));
    FileSlicing slicing = new FileSlicing(timeline, Map.of(GROUP, time(30)), TableVersion.SIX);
    FileGroup group = slicing.groups("p", List.of(base(10), log(10), log(30))).get(0);

    assertThat(slicing.latestMerged(group).map(FileSlicingTest::text))
        .contains("10: base 10, logs [10, 30]");
  }

  @Test
  void otherFilesOfAPartitionAreLeftOut() {
    Timeline timeline = Timeline.of(List.of(delta(10, 11)));

    assertThat(
            slices(
                timeline,
                base(10),
                file("." + base(10).name() + ".crc"),
                file("." + log(10).name() + ".crc"),
                file(log(10).name() + ".cdc"),
                file(".hoodie_partition_metadata"),
                new StoredFile("x_0-0-0_" + time(10) + ".parquet", 0, 0, true)))
        .containsExactly("10: base 10");
  }

  @Property(tries = 200)
  void orderOfListingDoesNotMatter(@ForAll long seed) {
    Random random = new Random(seed);
    List<Instant> instants = new ArrayList<>();
    List<StoredFile> files = new ArrayList<>();
    for (int t = 10; t < 90; t += 5) {
      int completed = t + 1 + random.nextInt(12);
      switch (random.nextInt(5)) {
        case 0 -> instants.add(pending(t, Action.DELTA_COMMIT));
        case 1 -> instants.add(compaction(t, completed));
        default -> instants.add(delta(t, completed));
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        String id = "f-" + random.nextInt(3);
        files.add(
            random.nextInt(3) == 0
                ? file(id + "_" + random.nextInt(2) + "-0-0_" + time(t) + ".parquet")
                : file("." + id + "_" + time(t) + ".log." + i + "_0-0-0"));
      }
    }
    FileSlicing slicing =
        new FileSlicing(Timeline.of(instants), Map.of(GROUP, time(40)), TableVersion.EIGHT);
    List<FileGroup> expected = slicing.groups("p", files);
    Collections.shuffle(files, random);

    assertThat(slicing.groups("p", files)).isEqualTo(expected);
  }

  @Test
  void baseFilesOfOtherFormatsAreNotPassedOver() {
    Timeline timeline = Timeline.of(List.of(delta(10, 11)));
    String name = base(10).name().replace(".parquet", ".orc");
    assertThatThrownBy(() -> slices(timeline, file(name)))
        .hasMessageContaining("'p/" + name + "'")
        .hasMessageContaining("only Parquet ones can be read");
  }

  private static List<String> slices(Timeline timeline, StoredFile... files) {
    return new FileSlicing(timeline, Map.of(), TableVersion.EIGHT)
        .groups("p", List.of(files)).stream()
            .flatMap(group -> group.slices().stream())
            .map(FileSlicingTest::text)
            .toList();
  }

  private static String text(FileSlice slice) {
    String base =
        slice.baseFile().map(file -> " base " + number(file.name().instant()) + ",").orElse("");
    List<Integer> logs =
        slice.logFiles().stream().map(log -> number(log.name().instant())).toList();
    String all = number(slice.baseInstant()) + ":" + base + (logs.isEmpty() ? "" : " logs " + logs);
    return all.endsWith(",") ? all.substring(0, all.length() - 1) : all;
  }

  private static int number(InstantTime time) {
    return Integer.parseInt(time.digits().substring(15));
  }

  private static InstantTime time(int number) {
    return new InstantTime("202601010000000%02d".formatted(number));
  }

  private static Instant delta(int requested, int completed) {
    return Instant.Completed.of(time(requested), time(completed), Action.DELTA_COMMIT);
  }

  private static Instant compaction(int requested, int completed) {
    return Instant.Completed.of(time(requested), time(completed), Action.COMPACTION);
  }

  private static Instant pending(int requested, Action action) {
    return new Instant.Requested(time(requested), action);
  }

  private static StoredFile base(int instant) {
    return file(FILE + "_0-0-0_" + time(instant) + ".parquet");
  }

  private static StoredFile log(int instant) {
    return file("." + FILE + "_" + time(instant) + ".log.1_0-0-0");
  }

  private static StoredFile file(String name) {
    return new StoredFile(name, 100, 0, false);
  }
}
