package io.hudilite.sink.commit;

import org.junit.jupiter.api.Test;

class CommitSimulationTest {
  private static final int SEEDS = Integer.getInteger("hudilite.seeds", 10_000);

  /** Another first seed, to replay one history: {@code -Dhudilite.seed=n -Dhudilite.seeds=1}. */
  private static final long FIRST_SEED = Long.getLong("hudilite.seed", 0);

  @Test
  void acknowledgedCheckpointsAreVisibleOnceInEveryHistory() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      try {
        new CommitSimulation(seed).run();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
      }
    }
  }
}
