package io.hudilite.sink.write;

import static io.hudilite.sink.write.FlusherTable.CONFIG;
import static io.hudilite.sink.write.FlusherTable.ROW_TYPE;
import static io.hudilite.sink.write.FlusherTable.changes;
import static io.hudilite.sink.write.FlusherTable.newTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.CommitOutcome;
import io.hudilite.core.write.RowFormat;
import io.hudilite.core.write.TableCommit;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CopyOnWriteFlusherTest {
  @TempDir Path folder;

  private CopyOnWriteFlusher flusher(Storage storage, int attempt) {
    return new CopyOnWriteFlusher(
        storage,
        new RowFormat(storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 1 << 20),
        new MergeMemory(1 << 20, folder),
        new WriterName(0, 1, attempt));
  }

  private static TableCommit commits(Storage storage) {
    return new TableCommit(
        storage, CONFIG, new InstantClock(InstantSource.system(), ZoneOffset.UTC));
  }

  private static CommitOutcome commit(Storage storage, InstantTime instant, List<WriteStat> stats) {
    return commits(storage)
        .commit(
            instant,
            CommitMetadata.ofWrite(
                CommitMetadata.UPSERT,
                WriteStat.withoutReplaced(stats),
                Map.of(CommitMetadata.SCHEMA, AvroSchemas.toAvro(ROW_TYPE, "t").toString())));
  }

  private static List<String> rows(Storage storage) throws IOException {
    HudiTable table = HudiTable.open(storage);
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (SplitReader reader = SplitReader.open(table.readContext(), split, ROW_TYPE)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          rows.add(row.getString(0) + " " + row.getString(1) + " " + row.getLong(2));
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  private long scratchFiles() {
    String[] names = folder.toFile().list();
    return names == null ? 0 : names.length;
  }

  @Test
  void baseOfTheNextInstantIsTheFileOfOneThatIsNotCommittedYet() throws IOException {
    InMemoryStorage storage = newTable();
    CopyOnWriteFlusher flusher = flusher(storage, 0);
    InstantTime first = commits(storage).begin(Action.COMMIT);
    flusher.begin(first);
    List<WriteStat> firstStats = flusher.finish(List.of(changes(1, "+ a x 1", "+ b x 1")));
    flusher.onBarrier();
    InstantTime second = commits(storage).begin(Action.COMMIT);
    flusher.begin(second);
    List<WriteStat> secondStats = flusher.finish(List.of(changes(1, "+ a y 2", "+ c y 2")));
    assertThat(secondStats.get(0).prevCommit()).isEqualTo(first.toString());
    assertThat(commit(storage, first, firstStats)).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(rows(storage)).containsExactly("a x 1", "b x 1");
    assertThat(commit(storage, second, secondStats)).isEqualTo(CommitOutcome.COMMITTED);
    assertThat(rows(storage)).containsExactly("a y 2", "b x 1", "c y 2");
  }

  @Test
  void twoCheckpointsOfOneInstantLeaveOneFile() throws IOException {
    InMemoryStorage storage = newTable();
    CopyOnWriteFlusher flusher = flusher(storage, 0);
    InstantTime before = commits(storage).begin(Action.COMMIT);
    flusher.begin(before);
    commit(storage, before, flusher.finish(List.of(changes(1, "+ a x 1", "+ b x 1"))));
    flusher.onBarrier();
    InstantTime instant = commits(storage).begin(Action.COMMIT);
    flusher.begin(instant);
    List<WriteStat> stats =
        new ArrayList<>(flusher.finish(List.of(changes(1, "+ a y 2", "+ c y 2", "- b y 2"))));
    flusher.onBarrier(); // of a checkpoint that is aborted
    flusher.begin(instant);
    stats.addAll(flusher.finish(List.of(changes(1, "+ d z 3", "- c z 3"), changes(2, "+ e z 3"))));
    assertThat(commit(storage, instant, stats)).isEqualTo(CommitOutcome.COMMITTED);

    assertThat(rows(storage)).containsExactly("a y 2", "d z 3", "e z 3");
    assertThat(storage.paths().stream().filter(path -> path.contains("_" + instant + ".parquet")))
        .hasSize(2);
    WriteStat whole = WriteStat.withoutReplaced(stats).get(0);
    assertThat(whole.prevCommit()).isEqualTo(before.toString());
    assertThat(whole.numWrites()).isEqualTo(2);
    assertThat(whole.numDeletes()).isEqualTo(2);
  }

  @ParameterizedTest
  @EnumSource
  void crashAnywhereLeavesTheTableAsItWas(FaultyStorage.Fault fault) throws IOException {
    InMemoryStorage calm = newTable();
    InstantTime first = commits(calm).begin(Action.COMMIT);
    CopyOnWriteFlusher writer = flusher(calm, 0);
    writer.begin(first);
    commit(
        calm,
        first,
        writer.finish(List.of(changes(1, "+ a x 1", "+ b x 1"), changes(2, "+ c x 1"))));
    List<String> filesBefore = calm.paths().stream().filter(this::isData).toList();

    int crashes = 0;
    for (int n = 0; ; n++) {
      InstantTime instant = commits(calm).begin(Action.COMMIT);
      FaultyStorage faulty = FaultyStorage.failingAt(calm, n, fault, FaultyStorage.Aftermath.DEAD);
      CopyOnWriteFlusher failing = flusher(faulty, 1);
      boolean isWritten;
      try {
        failing.begin(instant);
        failing.flush(List.of(changes(1, "+ a y 2")));
        failing.finish(
            List.of(changes(1, "- b y 2"), changes(2, "+ d y 2"), changes(3, "+ e y 2")));
        isWritten = !faulty.hasFailed();
      } catch (IOException | RuntimeException e) {
        isWritten = false;
      } finally {
        failing.close();
      }
      assertThat(scratchFiles()).as("crash at %d", n).isZero();
      assertThat(faulty.openStreams()).as("crash at %d", n).isZero();
      assertThat(rows(calm)).as("crash at %d", n).containsExactly("a x 1", "b x 1", "c x 1");
      assertThat(commits(calm).rollBack(instant)).as("crash at %d", n).isTrue();
      assertThat(calm.paths().stream().filter(this::isData).toList())
          .as("crash at %d", n)
          .isEqualTo(filesBefore);
      if (isWritten) {
        break;
      }
      crashes++;
    }
    assertThat(crashes).isGreaterThan(15);

    InstantTime last = commits(calm).begin(Action.COMMIT);
    CopyOnWriteFlusher again = flusher(calm, 2);
    again.begin(last);
    again.flush(List.of(changes(1, "+ a y 2")));
    commit(calm, last, again.finish(List.of(changes(1, "- b y 2"), changes(2, "+ d y 2"))));
    assertThat(rows(calm)).containsExactly("a y 2", "c x 1", "d y 2");
  }

  private boolean isData(String path) {
    return !path.startsWith(".hoodie");
  }
}
