package io.hudilite.core.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WriterLeaseTest {
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final InMemoryStorage storage = new InMemoryStorage();

  /** The watcher's clock; it moves while the watcher waits. */
  private long nanos;

  /** What the others do while the watcher waits. */
  private interface World {
    void pass(long millis) throws Exception;
  }

  private WriterLease acquire(String run, World world) throws IOException, InterruptedException {
    return WriterLease.acquire(
        storage,
        new LeaseHolder(run, "job " + run, "process of " + run, "2026-01-01T00:00:00Z", PATIENCE),
        () -> nanos,
        millis -> {
          nanos += millis * 1_000_000;
          try {
            world.pass(nanos / 1_000_000);
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  private WriterLease atOnce(String run) throws IOException, InterruptedException {
    return acquire(
        run,
        millis -> {
          throw new AssertionError("there is nothing to wait for");
        });
  }

  private List<String> files() {
    return storage.paths().stream().filter(path -> path.contains("/writer/")).toList();
  }

  @Test
  void nobodyWaitsForAFreeTableNorForItself() throws Exception {
    WriterLease first = atOnce("a");
    first.beat();
    first.requireNewest();
    WriterLease failover = atOnce("a");
    failover.beat();
    assertThat(failover.epoch()).isEqualTo(first.epoch() + 1);
    assertThatThrownBy(first::requireNewest)
        .isInstanceOf(WriterFencedException.class)
        .hasMessageContaining("taken over by job 'job a'");
    failover.release();
    assertThat(atOnce("b").epoch()).isEqualTo(3);
  }

  @Test
  void secondJobIsRefusedWhileTheFirstIsAlive() throws Exception {
    WriterLease first = atOnce("a");
    assertThatThrownBy(
            () ->
                acquire(
                    "b",
                    millis -> {
                      if (millis % 2_000 == 0) {
                        first.beat();
                      }
                    }))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("job 'job a' (run a, since 2026-01-01T00:00:00Z, process of a)")
        .hasMessageContaining("job 'job b'")
        .hasMessageContaining("Stop the first job");
    first.beat();
  }

  @Test
  void jobThatEndsWhileItIsWatchedIsFollowedAtOnce() throws Exception {
    WriterLease first = atOnce("a");
    acquire(
        "b",
        millis -> {
          if (millis == 1_000) {
            first.beat();
          } else if (millis == 3_000) {
            first.release();
          }
        });
    assertThat(nanos).isEqualTo(3_000_000_000L);
  }

  @Test
  void deadJobIsFollowedWhenItsPatienceIsOver() throws Exception {
    WriterLease first = atOnce("a");
    first.beat();
    WriterLease second =
        acquire(
            "b",
            millis -> {
              if (millis == 1_000) {
                first.beat(); // its last
              }
            });
    assertThat(nanos).isBetween(11_000_000_000L, 11_200_000_000L);
    second.beat();
    assertThatThrownBy(first::beat)
        .isInstanceOf(WriterFencedException.class)
        .hasMessageContaining("job 'job a'")
        .hasMessageContaining("taken over by job 'job b'");
  }

  @Test
  void filesDoNotGrow() throws Exception {
    for (int start = 0; start < 5; start++) {
      WriterLease lease = atOnce("a");
      for (int beat = 0; beat < 5; beat++) {
        lease.beat();
      }
    }
    assertThat(files()).hasSize(2);
    atOnce("a").release();
    assertThat(files()).hasSize(2);
  }

  @Test
  void claimThatCameMuchTooLateIsNone() throws Exception {
    LeaseStore store = new LeaseStore(storage);
    LeaseHolder slow = new LeaseHolder("slow", "j", "p", "s", PATIENCE);
    atOnce("a");
    atOnce("a");
    atOnce("a");
    assertThat(files()).as("the files of epoch 2 are gone").hasSize(2);
    assertThat(store.claim(2, slow)).isFalse();
    assertThat(store.claim(3, slow)).isFalse();
    assertThat(store.newestEpoch()).hasValue(3);
    assertThat(files()).hasSize(2);
  }

  @Test
  void readyIsWhoHasShownASignOfLife() throws Exception {
    WriterLease.Pause never =
        millis -> {
          throw new InterruptedException("waits");
        };
    assertThatThrownBy(() -> WriterLease.awaitReady(storage, "a", never)).hasMessage("waits");
    WriterLease lease = atOnce("a");
    assertThatThrownBy(() -> WriterLease.awaitReady(storage, "a", never)).hasMessage("waits");
    lease.beat();
    WriterLease.awaitReady(storage, "a", never);
    assertThatThrownBy(() -> WriterLease.awaitReady(storage, "b", never)).hasMessage("waits");
    lease.release();
    WriterLease.awaitReady(storage, "a", never);
  }
}
