package io.hudilite.e2e.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.sink.maintenance.Argument;
import io.hudilite.sink.maintenance.Operation;
import io.hudilite.sink.maintenance.Operations;
import io.hudilite.sink.maintenance.ResultColumn;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/procedures.md says is what the code has. */
class ProceduresDocTest {
  private static final String BEGIN = "<!-- made from the operations; a test compares -->";

  @Test
  void theDocumentTellsTheOperationsThatThereAre() throws Exception {
    String document =
        Files.readString(Path.of(System.getProperty("project.root"), "docs", "procedures.md"));
    String wanted = String.join("\n", reference());
    assertThat(document.substring(document.indexOf(BEGIN) + BEGIN.length()).strip())
        .as("docs/procedures.md; behind its marker should be:\n%s", wanted)
        .isEqualTo(wanted.strip());
  }

  private static List<String> reference() {
    List<String> lines = new ArrayList<>();
    for (Operation operation : Operations.all()) {
      lines.add("## " + operation.name());
      lines.add("");
      lines.add(operation.help());
      lines.add("");
      if (!operation.arguments().isEmpty()) {
        lines.add("| argument | type | what | from the table's option |");
        lines.add("| --- | --- | --- | --- |");
        operation.arguments().forEach(argument -> lines.add(line(argument)));
        lines.add("");
      }
      lines.add(
          "Result: "
              + operation.result().stream()
                  .map(ProceduresDocTest::text)
                  .collect(Collectors.joining("; ")));
      lines.add("");
    }
    return lines;
  }

  private static String line(Argument argument) {
    return "| `%s`%s | %s | %s | %s |"
        .formatted(
            argument.name(),
            argument.isRequired() ? ", required" : "",
            argument.kind().sqlType(),
            argument.help(),
            argument.options().stream().map(o -> "`" + o + "`").collect(Collectors.joining(", ")));
  }

  private static String text(ResultColumn column) {
    return "`%s` %s, %s".formatted(column.name(), column.kind().sqlType(), column.help());
  }
}
