package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.source.monitor.SourceSimulation.Read;
import org.junit.jupiter.api.Test;

/** Thousands of lives of a source. A failure names its seed; the same seed gives the same run. */
class SplitMonitorSimulationTest {
  private static final int SEEDS = 2_000;

  @Test
  void eachRowIsThereOnceAndInOrderWhenAllReadersFailTogether() {
    simulate(0, SEEDS, Read.ONE_READER, false);
  }

  @Test
  void eachRowIsThereOnceWhenSingleReadersFail() {
    simulate(1_000_000, SEEDS / 4, Read.ONE_READER, true);
  }

  @Test
  void boundedReadEndsWithEachRowOnce() {
    simulate(2_000_000, SEEDS, Read.BOUNDED, true);
  }

  /** F23, F24, F26, F29: whatever overtakes what, with aligned checkpoints and others. */
  @Test
  void whatStagedReadersSendFoldsToTheTable() {
    simulate(3_000_000, 5 * SEEDS, Read.STAGED, false);
  }

  private static void simulate(long firstSeed, int seeds, Read read, boolean singleReadersFail) {
    int restores = 0;
    for (long seed = firstSeed; seed < firstSeed + seeds; seed++) {
      SourceSimulation simulation = new SourceSimulation(seed, read, singleReadersFail);
      try {
        simulation.run();
      } catch (AssertionError | Exception e) {
        throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
      }
      restores += simulation.restores();
    }
    assertThat(restores).as("restores in all seeds").isGreaterThan(seeds / 2);
  }
}
