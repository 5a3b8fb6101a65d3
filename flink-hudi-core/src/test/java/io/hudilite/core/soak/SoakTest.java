package io.hudilite.core.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * See {@link Soak}. More seeds by {@code -Dsoak.seeds=}, longer runs by {@code -Dsoak.commits=}.
 */
class SoakTest {
  private static final Logger LOG = LoggerFactory.getLogger(SoakTest.class);

  private static Soak.Figures run(long seed, int commits) throws IOException {
    try {
      Soak.Figures figures = new Soak(seed).run(commits);
      LOG.info("Seed {}: {}", seed, figures);
      assertThat(figures.logFiles().most()).as("log files of a slice").isLessThan(40);
      assertThat(figures.dataFiles().most()).as("data files").isLessThan(400);
      return figures;
    } catch (IOException | RuntimeException | AssertionError e) {
      throw new AssertionError("Seed " + seed + ": " + e.getMessage(), e);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2})
  void everyReadEqualsTheModelWhateverTheServicesDo(long seed) throws IOException {
    Soak.Figures figures = run(seed, 40);
    assertThat(figures.crashes()).isPositive();
  }

  @Tag("soak")
  @Test
  void twoThousandCommitsStayBounded() throws IOException {
    for (long seed = Long.getLong("soak.first", 1); seed <= Long.getLong("soak.seeds", 3); seed++) {
      Soak.Figures figures = run(seed, Integer.getInteger("soak.commits", 2_000));
      System.out.println("Seed " + seed + ": " + figures);
      assertThat(figures.logFiles().growth()).as("log files of a slice").isLessThan(3);
      assertThat(figures.dataFiles().growth()).as("data files").isLessThan(3);
      // A step may happen to have more to do; what grows with the commits would be tenfold.
      figures
          .costs()
          .averages()
          .forEach(
              (step, calls) ->
                  assertThat(calls[calls.length - 1])
                      .as("calls of %s in the last commits", step)
                      .isLessThan(3 * calls[0]));
    }
  }
}
