package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tables with histories made by seeds, and what real Hudi read of them when they were recorded by
 * {@link RandomHistoriesTest}: the part of that comparison which needs no Spark.
 */
final class RecordedHistoriesTest {
  private static final String FOLDER = "histories/";

  @TempDir Path folder;

  static List<String> names() throws IOException {
    Path recorded =
        Path.of(System.getProperty("project.root"), "e2e/src/test/resources/fixtures", FOLDER);
    try (Stream<Path> files = Files.list(recorded)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(file -> file.endsWith(".json"))
          .map(file -> file.substring(0, file.length() - ".json".length()))
          .sorted()
          .toList();
    }
  }

  @Test
  void thereAreTwenty() throws IOException {
    assertThat(names()).hasSizeGreaterThanOrEqualTo(20);
  }

  @ParameterizedTest
  @MethodSource("names")
  void weReadWhatRealHudiRead(String name) throws IOException {
    HistoryAnswers answers = HistoryAnswers.parse(Fixtures.text(FOLDER + name + ".json"));
    Path table = Fixtures.unpack(FOLDER + name, folder);
    answers.compareWith(HudiTable.open(Storages.of(table.toString())));
  }
}
