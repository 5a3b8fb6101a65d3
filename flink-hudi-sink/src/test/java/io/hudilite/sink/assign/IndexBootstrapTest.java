package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
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
import org.junit.jupiter.api.Test;

class IndexBootstrapTest {
  private static final TableConfig CONFIG =
      TableConfig.newTable("orders", TableType.MERGE_ON_READ)
          .recordKeyFields("id")
          .orderingField("ts")
          .build();

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
}
