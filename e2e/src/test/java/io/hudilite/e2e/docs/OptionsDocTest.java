package io.hudilite.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.sql.HudiTableFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

/** What docs/options.md says is what the code has. */
class OptionsDocTest {

  @Test
  void theDocumentListsTheOptionsThatThereAre() throws IOException {
    List<String> wanted = new ArrayList<>();
    for (ConfigOption<?> option : options()) {
      wanted.add(line(option));
    }

    assertThat(documented())
        .as("docs/options.md; its table should be:\n%s", String.join("\n", wanted))
        .containsExactlyElementsOf(wanted);
  }

  private static List<String> documented() throws IOException {
    return Files.readAllLines(Path.of(System.getProperty("project.root"), "docs", "options.md"))
        .stream()
        .filter(line -> line.startsWith("| `"))
        .toList();
  }

  private static List<ConfigOption<?>> options() {
    HudiTableFactory factory = new HudiTableFactory();
    List<ConfigOption<?>> options = new ArrayList<>(factory.requiredOptions());
    options.addAll(factory.optionalOptions());
    options.sort(Comparator.comparing(ConfigOption::key));
    return options;
  }

  private static String line(ConfigOption<?> option) {
    String others =
        StreamSupport.stream(option.fallbackKeys().spliterator(), false)
            .map(FallbackKey::getKey)
            .map(key -> "`" + key + "`")
            .collect(Collectors.joining(", "));
    return "| `%s` | %s | %s | %s |"
        .formatted(
            option.key(),
            option.hasDefaultValue() ? "`" + option.defaultValue() + "`" : "",
            new HtmlFormatter().format(option.description()),
            others);
  }
}
