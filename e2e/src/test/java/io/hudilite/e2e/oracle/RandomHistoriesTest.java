package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real Hudi writes tables with histories made by seeds, and what it reads of them is compared with
 * what we read. {@code -Doracle.histories=200} tries more than 20 seeds, {@code -Doracle.seed=7}
 * begins with another one, {@code -Doracle.record=FOLDER} keeps tables and answers for {@link
 * RecordedHistoriesTest}. All are compared before the test tells which were different.
 */
@Tag("oracle")
final class RandomHistoriesTest {
  private static final int HISTORIES = Integer.getInteger("oracle.histories", 20);
  private static final long FIRST_SEED = Long.getLong("oracle.seed", 1);
  @Nullable private static final String RECORDS = System.getProperty("oracle.record");

  @TempDir Path folder;

  /** Half of the seeds to the version whose tables are most like ours. */
  @ParameterizedTest
  @CsvSource({"1.1.1, 1, 4", "1.2.0, 3, 4", "1.0.2, 0, 2"})
  void weReadWhatRealHudiReads(String version, int first, int step) throws Exception {
    List<Long> seeds = new ArrayList<>();
    for (int i = first; i < HISTORIES; i += step) {
      seeds.add(FIRST_SEED + i);
    }
    HudiOracle hudi = new HudiOracle(version, folder.resolve("hudi-" + version));
    List<AssertionError> differences = new ArrayList<>();
    int compared = 0;
    for (long seed : seeds) {
      RandomHistory history = new RandomHistory(seed, version);
      Path path = folder.resolve("t" + seed);
      hudi.write(path, history.scenario());
      Map<HudiOracle.Result, String> failed = hudi.runWhatHudiCan();
      if (!failed.isEmpty()) {
        // Some are too much for Hudi itself: it loses the schema of a table, or its plans.
        System.out.printf("Hudi %s fails at %s: %s%n", version, history, failed.values());
        continue;
      }
      HistoryAnswers answers = answers(hudi, path, history);
      if (RECORDS != null) {
        answers.record(path, Path.of(RECORDS));
      }
      try {
        answers.compareWith(HudiTable.open(Storages.of(path.toString())));
      } catch (AssertionError e) {
        System.out.println(e.getMessage());
        differences.add(e);
      }
      compared++;
      if (compared % 10 == 0 || seed == seeds.get(seeds.size() - 1)) {
        System.out.printf(
            "%d of %d histories of Hudi %s compared, %d different%n",
            compared, seeds.size(), version, differences.size());
      }
    }
    assertThat(differences).as("of %d histories of Hudi %s", compared, version).isEmpty();
    assertThat(compared).as("what Hudi %s could make", version).isGreaterThan(seeds.size() * 2 / 3);
  }

  private static HistoryAnswers answers(HudiOracle hudi, Path path, RandomHistory history)
      throws Exception {
    HudiTable table = HudiTable.open(Storages.of(path.toString()));
    String begin = begin(table, new Random(history.scenario().hashCode())).digits();
    HudiOracle.Result snapshot = hudi.read(path, "--meta");
    HudiOracle.Result incremental =
        hudi.read(path, "--meta", "--query", "incremental", "--begin", begin);
    HudiOracle.Result readOptimized =
        history.mergesOnRead() ? hudi.read(path, "--meta", "--query", "read_optimized") : null;
    hudi.run();
    return new HistoryAnswers(
        history.toString(),
        begin,
        history.beginsWithTheBegin(),
        history.isCleaned(),
        TableRows.texts(snapshot),
        TableRows.texts(incremental),
        readOptimized == null ? null : TableRows.texts(readOptimized));
  }

  /** Behind the last cleaning: it deletes what a range from before it needs. */
  private static InstantTime begin(HudiTable table, Random random) {
    List<Instant.Completed> writes = table.timeline().completedWrites();
    InstantTime cleaned =
        table.timeline().instants().stream()
            .filter(instant -> !instant.action().writesData())
            .map(Instant::requestedTime)
            .max(InstantTime::compareTo)
            .orElse(InstantTime.BEGINNING);
    List<Instant.Completed> later =
        writes.stream().filter(write -> write.requestedTime().isAfter(cleaned)).toList();
    Instant.Completed begin =
        later.isEmpty() ? writes.get(writes.size() - 1) : later.get(random.nextInt(later.size()));
    return begin.completionTime();
  }
}
