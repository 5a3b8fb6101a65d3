package io.hudilite.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableType;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.Fixtures;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TimelineHistoryTest {
  /** Of the fixture {@code cow_archived}: the last archived commit, and the one before it. */
  private static final InstantTime LAST_REQUESTED = new InstantTime("20261129230417601");

  /** A table of Hudi 0.15 whose first 15 commits are archived, and the last of them. */
  private static final String V6 = "v6_cow_archived";

  private static final String V6_LAST = "20261129222939734";

  @TempDir Path folder;

  private static InstantTime time(String digits) {
    return new InstantTime(digits);
  }

  /**
   * What the steps of the fixture say: {@code requested__completed__action__COMPLETED}, in version
   * 6 {@code requested__action__COMPLETED__completed}.
   */
  private static InstantTime completionOf(InstantTime requested, String fixture)
      throws IOException {
    String steps = Fixtures.text(fixture + ".steps.jsonl");
    int at = steps.indexOf(requested + "__");
    Matcher completed = Pattern.compile("__(\\d{17})").matcher(steps);
    assertThat(completed.find(at)).isTrue();
    return time(completed.group(1));
  }

  @Test
  void completionTimesOfArchivedWritesAreFoundInTheOneFileThatMayHoldThem() throws IOException {
    for (String name : List.of("cow_archived", "mor_archived")) {
      FaultyStorage storage =
          FaultyStorage.counting(Storages.of(Fixtures.unpack(name, folder).toString()));
      HudiTable table = HudiTable.open(storage);
      TimelineHistory history = TimelineHistory.of(storage, table.config());
      String steps = Fixtures.text(name + ".steps.jsonl");
      InstantTime first =
          time(steps.substring(steps.indexOf("20261129"), 17 + steps.indexOf("20261129")));
      int before = storage.operationCount();
      assertThat(history.completionTimeOf(first)).contains(completionOf(first, name));
      assertThat(storage.operations().subList(before, storage.operationCount()))
          .filteredOn(operation -> operation.contains(".parquet"))
          .allMatch(operation -> operation.contains("/" + first + "_"));
      assertThat(history.completionTimeOf(time("20200101000000000"))).isEmpty();
    }
  }

  @Test
  void aReaderThatStoppedAtTheLastArchivedCommitGoesOn() throws IOException {
    Storage storage = Storages.of(Fixtures.unpack("cow_archived", folder).toString());
    HudiTable table = HudiTable.open(storage);
    InstantTime last = completionOf(LAST_REQUESTED, "cow_archived");
    TimelineHistory history = TimelineHistory.of(storage, table.config());
    assertThat(history.mayHaveWritesAfter(last)).isFalse();
    IncrementalPlanner planner = new IncrementalPlanner(path -> true);
    assertThat(planner.next(table, last)).isPresent();
    assertThatThrownBy(() -> planner.next(table, LAST_REQUESTED))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("archived");
  }

  @Test
  void completionTimesOfVersionSixAreInItsArchive() throws IOException {
    Storage storage = Storages.of(Fixtures.unpack(V6, folder).toString());
    HudiTable table = HudiTable.open(storage);
    TimelineHistory history = TimelineHistory.of(storage, table.config());
    for (String requested : List.of("20261129222724259", "20261129222813192", V6_LAST)) {
      assertThat(history.completionTimeOf(time(requested)))
          .as(requested)
          .contains(completionOf(time(requested), V6));
    }
    assertThat(history.completionTimeOf(time("20200101000000000"))).isEmpty();
  }

  @Test
  void aReaderOfVersionSixThatStoppedAtTheLastArchivedCommitGoesOn() throws IOException {
    Storage storage = Storages.of(Fixtures.unpack(V6, folder).toString());
    HudiTable table = HudiTable.open(storage);
    InstantTime last = completionOf(time(V6_LAST), V6);
    IncrementalPlanner planner = new IncrementalPlanner(path -> true);
    assertThat(planner.next(table, last)).isPresent();
    assertThatThrownBy(() -> planner.next(table, time(V6_LAST)))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining(V6_LAST)
        .hasMessageContaining("archived")
        .hasMessageContaining("archive.min_commits");
  }

  @Test
  void anArchiveThatCannotBeUnderstoodMayHaveAnything() throws IOException {
    Path unpacked = Fixtures.unpack(V6, folder);
    Path file = unpacked.resolve(".hoodie/archived/.commits_.archive.5_1-0-1");
    byte[] content = Files.readAllBytes(file);
    content[21] = 99; // type of the first block
    Files.write(file, content);
    Storage storage = Storages.of(unpacked.toString());
    TimelineHistory history = TimelineHistory.of(storage, HudiTable.open(storage).config());
    assertThat(history.mayHaveWritesAfter(time("99990101000000000"))).isTrue();
    assertThat(history.completionTimeOf(time("20261129222724259"))).isPresent();
  }

  @Test
  void aTableThatNeverArchivedHasNoHistory() throws IOException {
    Storage storage = new InMemoryStorage();
    TimelineHistory history = TimelineHistory.of(storage, config());
    assertThat(history.completionTimeOf(LAST_REQUESTED)).isEmpty();
    assertThat(history.mayHaveWritesAfter(InstantTime.BEGINNING)).isFalse();
  }

  @Test
  void theGreatestManifestCountsWhileTheVersionIsBeingReplaced() throws IOException {
    Path table = Fixtures.unpack("cow_archived", folder);
    Path history = table.resolve(".hoodie/timeline/history");
    Files.delete(history.resolve("_version_"));
    Storage storage = Storages.of(table.toString());
    assertThat(
            TimelineHistory.of(storage, HudiTable.open(storage).config())
                .completionTimeOf(LAST_REQUESTED))
        .contains(completionOf(LAST_REQUESTED, "cow_archived"));
  }

  @Test
  void aDamagedManifestIsNamed() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfig config = config();
    storage.createNew(config.historyPath() + "/_version_", "3".getBytes(StandardCharsets.UTF_8));
    storage.createNew(
        config.historyPath() + "/manifest_3",
        "{\"files\":[{\"fileName\":\"x\"}]}".getBytes(StandardCharsets.UTF_8));
    assertThatThrownBy(() -> TimelineHistory.of(storage, config).completionTimeOf(LAST_REQUESTED))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("manifest_3")
        .hasMessageContaining("'x'");
  }

  private static TableConfig config() {
    return TableConfig.newTable("t", TableType.MERGE_ON_READ).recordKeyFields("id").build();
  }
}
