package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Real Hudi writes tables with histories made by seeds, and what it reads of them is compared with
 * what we read. {@code -Doracle.histories=200} tries more than 20 seeds, {@code -Doracle.seed=7}
 * begins with another one. Some 25 tables are made in one process, and all are compared before the
 * test tells which were different; {@code -Doracle.minutes=60} gives a process more than 20
 * minutes, {@code -Doracle.record=FOLDER} keeps tables and answers for {@link
 * RecordedHistoriesTest}.
 */
@Tag("oracle")
final class RandomHistoriesTest {
  private static final int HISTORIES = Integer.getInteger("oracle.histories", 20);
  private static final long FIRST_SEED = Long.getLong("oracle.seed", 1);
  private static final int TABLES_OF_A_PROCESS = 25;
  @Nullable private static final String RECORDS = System.getProperty("oracle.record");

  @TempDir Path folder;

  /** A table, where to begin with changes, and what Hudi reads of it. */
  private record Case(
      RandomHistory history,
      Path path,
      InstantTime begin,
      HudiOracle.Result snapshot,
      HudiOracle.Result incremental,
      Optional<HudiOracle.Result> readOptimized) {
    HistoryAnswers answers() throws IOException {
      return new HistoryAnswers(
          history.toString(),
          begin.digits(),
          history.beginsWithTheBegin(),
          history.isCleaned(),
          TableRows.texts(snapshot),
          TableRows.texts(incremental),
          readOptimized.isPresent() ? TableRows.texts(readOptimized.get()) : null);
    }
  }

  /** Half of the seeds to the version whose tables are most like ours. */
  @ParameterizedTest
  @CsvSource({"1.1.1, 1, 4", "1.2.0, 3, 4", "1.0.2, 0, 2"})
  void weReadWhatRealHudiReads(String version, int first, int step) throws Exception {
    List<Long> seeds = new ArrayList<>();
    for (int i = first; i < HISTORIES; i += step) {
      seeds.add(FIRST_SEED + i);
    }
    List<AssertionError> differences = new ArrayList<>();
    int compared = 0;
    for (int i = 0; i < seeds.size(); i += TABLES_OF_A_PROCESS) {
      List<Long> batch = seeds.subList(i, Math.min(seeds.size(), i + TABLES_OF_A_PROCESS));
      for (Case one : histories(version, batch)) {
        try {
          HistoryAnswers answers = one.answers();
          if (RECORDS != null) {
            answers.record(one.path(), Path.of(RECORDS));
          }
          answers.compareWith(HudiTable.open(Storages.of(one.path().toString())));
        } catch (AssertionError e) {
          System.out.println(e.getMessage());
          differences.add(e);
        }
        compared++;
      }
      System.out.printf(
          "%d of %d histories of Hudi %s compared, %d different%n",
          compared, seeds.size(), version, differences.size());
    }
    assertThat(differences).as("of %d histories of Hudi %s", compared, version).isEmpty();
  }

  private List<Case> histories(String version, List<Long> seeds) throws Exception {
    HudiOracle hudi =
        new HudiOracle(version, folder.resolve("hudi-" + version + "-from-" + seeds.get(0)));
    Map<Path, RandomHistory> histories = new TreeMap<>();
    Map<String, Path> writes = new TreeMap<>();
    for (long seed : seeds) {
      RandomHistory history = new RandomHistory(seed, version);
      Path table = folder.resolve("t" + seed);
      writes.put(hudi.write(table, history.scenario()).toString(), table);
      histories.put(table, history);
    }
    // Some histories are too much for Hudi itself: it loses the schema of a table, or its plans.
    for (String failed : hudi.runWhatHudiCan()) {
      System.out.printf("Hudi %s fails at %s%n", version, histories.remove(writes.get(failed)));
    }
    assertThat(histories).hasSizeGreaterThan(seeds.size() * 2 / 3);

    List<Case> cases = new ArrayList<>();
    for (Map.Entry<Path, RandomHistory> made : histories.entrySet()) {
      Path path = made.getKey();
      HudiTable table = HudiTable.open(Storages.of(path.toString()));
      InstantTime begin = begin(table, new Random(made.getValue().scenario().hashCode()));
      cases.add(
          new Case(
              made.getValue(),
              path,
              begin,
              hudi.read(path, "--meta"),
              hudi.read(path, "--meta", "--query", "incremental", "--begin", begin.digits()),
              made.getValue().mergesOnRead()
                  ? Optional.of(hudi.read(path, "--meta", "--query", "read_optimized"))
                  : Optional.empty()));
    }
    hudi.run();
    return cases;
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
