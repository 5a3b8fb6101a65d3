package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tables of kinds that no stored fixture has, made by each Hudi: we read what it reads. {@code
 * -Doracle.tables=hashing} tries those alone whose names have this in them.
 */
@Tag("oracle")
class RealHudiTablesTest {
  private static final String WANTED = System.getProperty("oracle.tables", "");

  /** What a Hudi cannot make or read itself. */
  private static final Map<String, Set<String>> BEYOND_HUDI =
      Map.of(
          "1.1.1", Set.of("renamed, reordered, widened and dropped columns"),
          "1.2.0", Set.of("renamed, reordered, widened and dropped columns"));

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"0.15.0", "1.0.2", "1.1.1", "1.2.0"})
  void weReadWhatHudiReads(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("hudi"));
    Map<String, String> different = new TreeMap<>();
    List<String> beyondHudi = new ArrayList<>();
    for (Map.Entry<String, String> scenario : TablesOfRealHudi.of(version).entrySet()) {
      String name = scenario.getKey();
      if (!name.contains(WANTED)) {
        continue;
      }
      Path table = folder.resolve(name.replaceAll("[^A-Za-z0-9]+", "_"));
      hudi.write(table, scenario.getValue());
      hudi.read(table);
      Map<HudiOracle.Result, String> failed = hudi.runWhatHudiCan();
      if (!failed.isEmpty()) {
        System.out.printf("Hudi %s fails at '%s': %s%n", version, name, failed);
        beyondHudi.add(name);
        continue;
      }
      try {
        compare(hudi, table, name);
      } catch (AssertionError | IOException | RuntimeException e) {
        System.out.printf("Hudi %s, '%s': %s%n", version, name, e);
        different.put(name, e.toString());
      }
    }
    assertThat(different).as("what is read otherwise than by Hudi %s", version).isEmpty();
    assertThat(BEYOND_HUDI.getOrDefault(version, Set.of()))
        .as("what Hudi %s failed at", version)
        .containsAll(beyondHudi);
  }

  private static void compare(HudiOracle hudi, Path table, String name) throws Exception {
    HudiOracle.Result snapshot = hudi.read(table, "--meta");
    HudiOracle.Result readOptimized = hudi.read(table, "--meta", "--query", "read_optimized");
    hudi.run();
    HudiTable ours = HudiTable.open(Storages.of(table.toString()));
    assertThat(withoutTokens(TableRows.read(ours, new ScanPlanner().snapshot(ours))))
        .as("snapshot of '%s' of Hudi %s", name, hudi.version())
        .isEqualTo(withoutTokens(TableRows.texts(snapshot)));
    assertThat(withoutTokens(TableRows.read(ours, new ScanPlanner().readOptimized(ours))))
        .as("read-optimized query of '%s' of Hudi %s", name, hudi.version())
        .isEqualTo(withoutTokens(TableRows.texts(readOptimized)));
  }

  /** A compaction that was run again may leave a file twice; Hudi reads either. */
  private static List<String> withoutTokens(List<String> rows) {
    return rows.stream().map(row -> row.replaceAll("_\\d+-\\d+-\\d+_", "_")).toList();
  }

  /** A bootstrapped table of either kind, and one whose base files are ORC. */
  @ParameterizedTest
  @ValueSource(strings = {"0.15.0", "1.0.2", "1.1.1", "1.2.0"})
  void bootstrappedTablesAndOrcFilesAreRefused(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("hudi"));
    Path pointing = folder.resolve("pointing");
    Path copied = folder.resolve("copied");
    Path orc = folder.resolve("orc");
    hudi.write(pointing, TablesOfRealHudi.bootstrap(source(pointing), "MetadataOnly"));
    hudi.write(copied, TablesOfRealHudi.bootstrap(source(copied), "FullRecord"));
    hudi.write(orc, TablesOfRealHudi.orc());
    List<HudiOracle.Result> reads =
        new ArrayList<>(List.of(hudi.read(pointing), hudi.read(copied)));
    if (!version.equals("1.0.2")) { // takes the ORC files that it wrote for Parquet ones
      reads.add(hudi.read(orc));
    }
    hudi.run();
    for (HudiOracle.Result read : reads) {
      assertThat(read.rows()).as("%s", read).hasSize(2);
    }
    for (Path table : List.of(pointing, copied)) {
      assertThatThrownBy(() -> read(table))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining(table.toString())
          .hasMessageContaining(source(table).toString())
          .hasMessageContaining("bootstrap");
    }
    assertThatThrownBy(() -> read(orc))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining(orc.toString())
        .hasMessageContaining("'hoodie.table.base.file.format' is 'ORC'");
  }

  private static Path source(Path table) {
    return table.resolveSibling("source-of-" + table.getFileName());
  }

  /** As every reader begins. */
  private static void read(Path table) throws IOException {
    HudiTable.open(Storages.of(table.toString())).readContext();
  }
}
