package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Thousands of lives of a source. A failure names its seed; the same seed gives the same run. */
class SplitMonitorSimulationTest {
  private static final int SEEDS = 2_000;

  @Test
  void eachRowIsThereOnceAndInOrderWhenAllReadersFailTogether() {
    simulate(0, false, false);
  }

  @Test
  void eachRowIsThereOnceWhenSingleReadersFail() {
    simulate(1_000_000, false, true);
  }

  @Test
  void boundedReadEndsWithEachRowOnce() {
    simulate(2_000_000, true, true);
  }

  private static void simulate(long firstSeed, boolean bounded, boolean singleReadersFail) {
    int restores = 0;
    for (long seed = firstSeed; seed < firstSeed + SEEDS; seed++) {
      SourceSimulation simulation = new SourceSimulation(seed, bounded, singleReadersFail);
      try {
        simulation.run();
      } catch (AssertionError | Exception e) {
        throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
      }
      restores += simulation.restores();
    }
    assertThat(restores).as("restores in all seeds").isGreaterThan(SEEDS / 2);
  }
}
