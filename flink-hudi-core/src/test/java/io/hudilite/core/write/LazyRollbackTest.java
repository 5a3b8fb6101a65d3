package io.hudilite.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.config.TableType;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileId;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CommitMetadataCodec;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Failed writes of several writers: one of ours, which dies and starts again, and others like
 * Hudi's, which tell by heartbeats alone that they live.
 */
class LazyRollbackTest {
  private static final FailedWrites RULE = FailedWrites.lazy(Duration.ofSeconds(60), 2);
  private static final int TOLERANCE_MILLIS = 120_000;

  private final MorTable.ManualClock wall = new MorTable.ManualClock();
  private final InMemoryStorage memory = new InMemoryStorage(wall);
  private final TableConfig config;
  private final TimelineStore timelines;

  LazyRollbackTest() throws IOException {
    config =
        TableConfigStore.create(memory, TableConfig.newTable("t", TableType.MERGE_ON_READ).build());
    timelines = new TimelineStore(memory, config);
  }

  /** A start of our writer. */
  private final class Ours {
    private final Storage storage;
    private final WriteHeartbeats heartbeats;
    private final TableCommit commits;
    private final Map<InstantTime, WriteStat> begun = new HashMap<>();

    Ours(Storage storage) throws IOException {
      this.storage = storage;
      this.heartbeats = new WriteHeartbeats(storage, wall, RULE);
      this.commits =
          new TableCommit(storage, config, new InstantClock(wall, ZoneOffset.UTC), heartbeats);
      commits.recover();
      rollBackOthers();
    }

    void begin() throws IOException {
      InstantTime instant = commits.begin(Action.DELTA_COMMIT);
      new WriteMarkers(storage, instant)
          .add(0, List.of(new WriteMarkers.Marker(nameFor(instant), WriteMarkers.IoType.CREATE)));
      begun.put(instant, write(storage, instant));
    }

    void commit() throws IOException {
      for (InstantTime instant : List.copyOf(begun.keySet())) {
        CommitMetadata metadata =
            CommitMetadata.ofWrite("UPSERT", List.of(begun.remove(instant)), Map.of());
        CommitOutcome outcome = commits.commit(instant, metadata);
        if (outcome == CommitOutcome.UNKNOWN) {
          throw new IOException("unknown");
        }
        assertThat(outcome).isEqualTo(CommitOutcome.COMMITTED);
      }
    }

    void rollBackOthers() throws IOException {
      for (Instant pending : commits.pending()) {
        if (!begun.containsKey(pending.requestedTime())) {
          commits.rollBack(pending.requestedTime());
        }
      }
    }
  }

  /** A write of Hudi's. */
  private final class Foreign {
    private final InstantTime instant = InstantTime.ofUtcMillis(wall.millis());
    private WriteStat stat;
    private long beat = wall.millis();

    Foreign() throws IOException {
      memory.createNew(".hoodie/.heartbeat/" + instant, new byte[0]);
    }

    void goOn() throws IOException {
      if (stat == null) {
        timelines.createRequested(new Instant.Requested(instant, Action.DELTA_COMMIT), new byte[0]);
        timelines.createInflight(new Instant.Inflight(instant, Action.DELTA_COMMIT));
        stat = write(memory, instant);
      }
    }

    void beatIfDue() throws IOException {
      if (wall.millis() - beat >= 60_000) {
        memory.overwrite(".hoodie/.heartbeat/" + instant, new byte[0]);
        beat = wall.millis();
      }
    }

    void complete() throws IOException {
      goOn();
      wall.advanceMillis(1);
      timelines.complete(
          Instant.Completed.of(
              instant, InstantTime.ofUtcMillis(wall.millis()), Action.DELTA_COMMIT),
          CommitMetadataCodec.encode(
              CommitMetadata.ofWrite("UPSERT", List.of(stat), Map.of()), Action.DELTA_COMMIT));
      memory.delete(".hoodie/.heartbeat/" + instant);
    }

    void assertIsWhole() throws IOException {
      if (stat != null) {
        assertThat(timelines.load().pending(instant)).as("live write %s", instant).isPresent();
        assertThat(memory.exists(stat.path())).as("its file").isTrue();
      }
      assertThat(memory.exists(".hoodie/.heartbeat/" + instant)).isTrue();
    }
  }

  private static WriteStat write(Storage storage, InstantTime instant) throws IOException {
    String name = nameFor(instant);
    storage.createNew(name, new byte[10]);
    return WriteStat.ofNewBaseFile(fileId(instant).value(), "", name, 1, 10);
  }

  private static FileId fileId(InstantTime instant) {
    return FileId.of(UUID.nameUUIDFromBytes(instant.digits().getBytes(StandardCharsets.UTF_8)));
  }

  private static String nameFor(InstantTime instant) {
    return new BaseFileName(fileId(instant), "0-0-0", instant).toString();
  }

  @Property(tries = 60)
  void whatLivesIsLeftAloneAndWhatIsDeadGoes(@ForAll long seed) throws IOException {
    LazyRollbackTest world = new LazyRollbackTest(); // each try begins with a new table
    world.live(new Random(seed));
  }

  private void live(Random random) throws IOException {
    List<Foreign> alive = new ArrayList<>();
    List<InstantTime> completed = new ArrayList<>();
    Ours ours = new Ours(memory);
    for (int step = 0; step < 60; step++) {
      wall.advanceMillis(1 + random.nextInt(40_000));
      for (Foreign foreign : alive) {
        foreign.beatIfDue();
      }
      switch (random.nextInt(8)) {
        case 0 -> alive.add(new Foreign());
        case 1 -> {
          for (Foreign foreign : alive) {
            foreign.goOn();
          }
        }
        case 2 -> {
          if (!alive.isEmpty()) {
            Foreign foreign = alive.remove(random.nextInt(alive.size()));
            foreign.complete();
            completed.add(foreign.instant);
          }
        }
        case 3 -> {
          if (!alive.isEmpty()) {
            alive.remove(random.nextInt(alive.size())); // dies
          }
        }
        case 4 -> ours = crash(random);
        default -> {
          ours.begin();
          ours.heartbeats.beat();
          ours.commit();
          ours.rollBackOthers();
        }
      }
      for (Foreign foreign : alive) {
        foreign.assertIsWhole();
      }
    }
    for (Foreign foreign : alive) {
      foreign.complete();
      completed.add(foreign.instant);
    }
    wall.advanceMillis(TOLERANCE_MILLIS + 1);
    ours.rollBackOthers();
    assertThat(timelines.load().pendingWrites()).isEmpty();
    for (InstantTime instant : completed) {
      assertThat(timelines.load().completedWrite(instant)).isPresent();
    }
    List<String> named = new ArrayList<>();
    for (Instant.Completed write : timelines.load().completedWrites()) {
      timelines.readCommit(write).writeStats().forEach(stat -> named.add(stat.path()));
    }
    assertThat(memory.list("").stream().filter(f -> !f.isFolder()).map(f -> f.name()).toList())
        .as("no file of a failed write is left")
        .containsExactlyInAnyOrderElementsOf(named);
    new Ours(memory);
    assertThat(memory.list(".hoodie/.hudi-lite/begun")).isEmpty();
  }

  /** Our writer dies at some call of the storage, and starts again; it may die at that, too. */
  private Ours crash(Random random) throws IOException {
    FaultyStorage faulty =
        FaultyStorage.failingAt(
            memory,
            random.nextInt(60),
            FaultyStorage.Fault.values()[random.nextInt(2)],
            FaultyStorage.Aftermath.DEAD);
    try {
      Ours dying = new Ours(faulty);
      for (int i = 0; i < 3; i++) {
        dying.begin();
        dying.heartbeats.beat();
        dying.commit();
        dying.rollBackOthers();
      }
    } catch (IOException e) {
      assertThat(faulty.hasFailed()).isTrue();
    }
    return new Ours(memory);
  }

  @Test
  void writersThatBeginAtTheSameTimeGetDifferentInstants() throws IOException {
    WriteHeartbeats heartbeats = new WriteHeartbeats(memory, wall, RULE);
    InstantTime taken = InstantTime.ofUtcMillis(wall.millis());
    memory.createNew(".hoodie/.heartbeat/" + taken, new byte[0]);
    TableCommit commits =
        new TableCommit(memory, config, new InstantClock(wall, ZoneOffset.UTC), heartbeats);
    assertThat(commits.begin(Action.DELTA_COMMIT)).isNotEqualTo(taken);
    assertThat(memory.list(".hoodie/.hudi-lite/begun")).hasSize(1);
    assertThat(memory.exists(".hoodie/.heartbeat/" + taken)).isTrue();
  }

  @Test
  void heartbeatsAreRenewedWithinTheInterval() throws IOException {
    WriteHeartbeats heartbeats = new WriteHeartbeats(memory, wall, RULE);
    InstantTime instant =
        new TableCommit(memory, config, new InstantClock(wall, ZoneOffset.UTC), heartbeats)
            .begin(Action.DELTA_COMMIT);
    for (int i = 0; i < 10; i++) {
      wall.advanceMillis(30_000);
      heartbeats.beat();
      long last = memory.list(".hoodie/.heartbeat").get(0).modificationMillis();
      assertThat(wall.millis() - last).as("%s", instant).isLessThanOrEqualTo(60_000);
    }
  }
}
