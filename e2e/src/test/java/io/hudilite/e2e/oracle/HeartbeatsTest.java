package io.hudilite.e2e.oracle;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.FailedWrites;
import io.hudilite.core.write.TableCommit;
import io.hudilite.core.write.WriteHeartbeats;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hudi's lazy rollback of failed writes, on a write of ours that lives, and then does not. */
@Tag("oracle")
class HeartbeatsTest {
  @TempDir Path folder;

  private static String upsertBySpark(int ts) {
    return """
    {"table": "t",
     "schema": "id STRING, name STRING, ts BIGINT, p STRING",
     "options": {"hoodie.datasource.write.table.type": "MERGE_ON_READ",
                 "hoodie.datasource.write.recordkey.field": "id",
                 "hoodie.datasource.write.partitionpath.field": "p",
                 "hoodie.datasource.write.precombine.field": "ts",
                 "hoodie.clean.failed.writes.policy": "LAZY",
                 "hoodie.cleaner.policy.failed.writes": "LAZY",
                 "hoodie.clean.automatic": "true",
                 "hoodie.write.table.version": "8",
                 "hoodie.write.auto.upgrade": "false"},
     "steps": [{"do": "upsert", "rows": [["s%d", "by Spark", %d, "p2"]]}]}
    """
        .formatted(ts, ts);
  }

  @Test
  void hudiLeavesOurWriteAloneAsLongAsItsHeartbeatIsFresh() throws Exception {
    Path path = folder.resolve("t");
    Storage storage = Storages.of(path.toUri().toString());
    MorTable table = MorTable.create(storage, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1));
    InstantSource wall = InstantSource.system();
    TableCommit commits =
        new TableCommit(
            storage,
            table.config(),
            new InstantClock(wall, table.config().timelineZone()),
            new WriteHeartbeats(storage, wall, FailedWrites.LAZY));
    InstantTime ours = commits.begin(Action.DELTA_COMMIT);
    List<WriteStat> files = table.write(ours, List.of(upsert("p1", "k1", "b", 2)));
    assertThat(files).isNotEmpty();

    HudiOracle hudi = new HudiOracle("1.0.2", folder.resolve("oracle"));
    hudi.write(path, upsertBySpark(10));
    hudi.run();
    assertThat(table.open().timeline().pending(ours)).as("it lives").isPresent();
    assertThat(storage.exists(files.get(0).path())).isTrue();

    Files.setLastModifiedTime(
        path.resolve(".hoodie/.heartbeat").resolve(ours.digits()),
        FileTime.fromMillis(wall.millis() - 600_000));
    hudi.write(path, upsertBySpark(11));
    hudi.run();
    assertThat(table.open().timeline().pending(ours)).as("it is dead").isEmpty();
    assertThat(table.open().timeline().completedWrite(ours)).isEmpty();
    assertThat(storage.exists(files.get(0).path())).isFalse();
    assertThat(table.rows())
        .containsExactly("p1/k1=a@1", "p2/s10=by Spark@10", "p2/s11=by Spark@11");
  }
}
