package io.hudilite.core.archive;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;

/** Earlier states of a table whose old files are cleaned and whose old instants are archived. */
class KeptStatesTest {
  private static void serve(InMemoryStorage memory, MorTable table, Random random)
      throws IOException {
    if (random.nextInt(3) == 0) {
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
          .schedule(table.open(), table.clock().next());
      new TableCompaction(
              memory,
              BaseFileSettings.DEFAULT,
              MergeMemory.DEFAULT,
              new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
          .executePending();
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    }
    if (random.nextInt(4) == 0) {
      new Cleaner(memory, CleanRetention.ofCommits(2 + random.nextInt(3)), table.wall())
          .clean(table.clock());
    }
    if (random.nextInt(6) == 0) {
      new TimelineArchiver(memory, new ArchiveLimits(6, 8), table.wall()).archive();
    }
  }

  @Property(tries = 6, shrinking = ShrinkingMode.OFF)
  void anEarlierStateIsThereOrRefusedWithTheEarliestThatIsThere(@ForAll long seed)
      throws IOException {
    Random random = new Random(seed);
    InMemoryStorage memory = new InMemoryStorage(); // a try has a table of its own
    MorTable table = MorTable.create(memory, 2, MergeMode.EVENT_TIME_ORDERING);
    Map<InstantTime, List<String>> states = new TreeMap<>();
    for (int commit = 0; commit < 14; commit++) {
      List<Change> changes = new ArrayList<>();
      for (int i = random.nextInt(4); i >= 0; i--) {
        changes.add(upsert("p" + random.nextInt(2), "k" + random.nextInt(8), "v" + commit, commit));
      }
      states.put(table.commit(changes), table.expectedRows());
      serve(memory, table, random);
    }
    HudiTable open = table.open();
    int readable = 0;
    for (Map.Entry<InstantTime, List<String>> state : states.entrySet()) {
      try {
        assertThat(rowsAsOf(open, state.getKey()))
            .as("state at %s", state.getKey())
            .isEqualTo(state.getValue());
        readable++;
      } catch (HudiTableException e) {
        assertThat(e)
            .hasMessageContaining("as of " + state.getKey())
            .hasMessageContaining("read.end-commit")
            .hasMessageContaining("clean.retain_commits");
        String earliest = e.getMessage().replaceAll(".*it can be read is (\\d{17}):.*", "$1");
        InstantTime named = new InstantTime(earliest);
        assertThat(named.isAfter(state.getKey())).isTrue();
        rowsAsOf(open, named);
      }
    }
    assertThat(readable).isPositive();
    changesAreThereOrRefusedWithTheEarliest(open, states);
  }

  private static List<String> rowsAsOf(HudiTable table, InstantTime time) throws IOException {
    return MorTable.rows(table, new ScanPlanner().snapshotAsOf(table, time));
  }

  private static void changesAreThereOrRefusedWithTheEarliest(
      HudiTable table, Map<InstantTime, List<String>> states) throws IOException {
    for (InstantTime start : states.keySet()) {
      try {
        new IncrementalPlanner(path -> true).first(table, new StartingPosition.At(start));
      } catch (HudiTableException e) {
        assertThat(e)
            .hasMessageContaining("The earliest instant that can still be read is ")
            .hasMessageContaining("read.start-commit")
            .hasMessageContaining("archive.min_commits");
      }
    }
  }
}
