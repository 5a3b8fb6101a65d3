package io.hudilite.core.testkit;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Compacts whatever there is to compact in a table that nobody writes just now. */
public final class Compactions {
  private Compactions() {}

  public static Optional<InstantTime> compact(Storage storage) throws IOException {
    return compact(
        storage,
        new InstantClock(InstantSource.system(), HudiTable.open(storage).config().timelineZone()));
  }

  /**
   * Plans a compaction and executes it.
   *
   * @param clock of the process that commits to the table
   * @return the instant of the compaction, or empty if there is nothing to compact
   */
  public static Optional<InstantTime> compact(Storage storage, InstantClock clock)
      throws IOException {
    HudiTable table = HudiTable.open(storage);
    table.timeline().newestTime().ifPresent(clock::observe);
    new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
        .schedule(table, clock.next());
    TableCompaction compaction =
        new TableCompaction(
            storage,
            BaseFileSettings.DEFAULT,
            new MergeMemory(0, Path.of(System.getProperty("java.io.tmpdir"))),
            new TakeOver("test", Duration.ofMinutes(20), "", InstantSource.system()));
    Optional<InstantTime> compacted = Optional.empty();
    for (TableCompaction.Result result : compaction.executePending()) {
      if (!(result instanceof TableCompaction.Result.Completed)) {
        throw new AssertionError(result);
      }
      compacted = Optional.of(result.instant());
    }
    return compacted;
  }
}
