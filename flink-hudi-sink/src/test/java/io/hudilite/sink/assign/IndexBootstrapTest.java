package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.write.TableCommit;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class IndexBootstrapTest {
  private static final TableConfig CONFIG =
      TableConfig.newTable("orders", TableType.MERGE_ON_READ)
          .recordKeyFields("id")
          .orderingField("ts")
          .build();

  /** The commits of these tests have no files. */
  private static final Function<FileGroupId, SliceKeyReader.Visitor> NO_FILES =
      group -> {
        throw new AssertionError(group);
      };

  @Test
  void commitThatIsDecidedAndNotFinishedIsSeen() throws Exception {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfigStore.create(storage, CONFIG);
    TableCommit commits =
        new TableCommit(
            storage, CONFIG, new InstantClock(InstantSource.system(), CONFIG.timelineZone()));
    InstantTime instant = commits.begin(Action.DELTA_COMMIT);
    commits.commit(
        instant,
        CommitMetadata.ofWrite(
            CommitMetadata.UPSERT, List.of(), Map.of(CommitMetadata.SCHEMA, "{}")));
    TimelineStore timelines = new TimelineStore(storage, CONFIG);
    Instant.Completed completed = timelines.load().completedWrite(instant).orElseThrow();
    timelines.delete(completed); // as if the job manager had died before

    assertThat(IndexBootstrap.open(storage).end()).isEqualTo(completed.completionTime());
  }

  @Test
  void commitsThatTheStateCoversAreNotRead() throws Exception {
    InMemoryStorage storage = new InMemoryStorage();
    TableConfigStore.create(storage, CONFIG);
    TableCommit commits =
        new TableCommit(
            storage, CONFIG, new InstantClock(InstantSource.system(), CONFIG.timelineZone()));
    for (int checkpoint = 1; checkpoint <= 40; checkpoint++) {
      String run = checkpoint == 40 ? "another" : "run";
      commits.commit(
          commits.begin(Action.DELTA_COMMIT),
          CommitMetadata.ofWrite(
              CommitMetadata.UPSERT,
              List.of(),
              Map.of(
                  CommitMetadata.SCHEMA,
                  "{\"type\":\"record\",\"name\":\"r\",\"fields\":"
                      + "[{\"name\":\"id\",\"type\":\"string\"},{\"name\":\"ts\",\"type\":\"long\"}]}",
                  "hudi-lite.run",
                  run,
                  "hudi-lite.checkpoint",
                  Integer.toString(checkpoint))));
    }
    IndexCoverage coverage = IndexCoverage.NOTHING.atCheckpoint("run", 37);
    FaultyStorage counting = FaultyStorage.counting(storage);
    IndexBootstrap table = IndexBootstrap.open(counting);
    long before = reads(counting);

    assertThat(table.scan(coverage, NO_FILES)).as("38 and 39, and that of another").isEqualTo(3);

    assertThat(reads(counting) - before)
        .as("of 40: these and the first that is covered; those missing again for their files")
        .isLessThanOrEqualTo(8);
  }

  private static long reads(FaultyStorage storage) {
    return storage.operations().stream()
        .filter(operation -> operation.startsWith("read .hoodie/timeline/"))
        .count();
  }
}
