package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Real Apache Hudi of one version. Commands are collected, so that a test can say first what it
 * wants of all tables; their results can be asked for after {@link #run}.
 */
final class HudiOracle {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final String version;
  private final Path folder;
  private final Map<Result, String> commands = new LinkedHashMap<>();
  private int results;

  /**
   * @param folder for what it writes; made when it is not there
   */
  HudiOracle(String version, Path folder) throws IOException {
    this.version = version;
    this.folder = Files.createDirectories(folder);
  }

  String version() {
    return version;
  }

  /** A query of all rows; more arguments as the oracle's README tells. */
  Result read(Path table, String... more) throws IOException {
    List<String> args = new ArrayList<>(List.of("read", table.toString()));
    args.addAll(List.of(more));
    return add(args);
  }

  /** All that Hudi can say against a table. */
  Result validate(Path table) throws IOException {
    return add(List.of("validate", table.toString()));
  }

  /** Writes to a table, new or not; the scenario's form is told in the oracle's README. */
  Result write(Path table, String scenario) throws IOException {
    Path script = folder.resolve("scenario-" + results + ".json");
    Files.writeString(script, scenario);
    return add(List.of("write", table.toString(), "--script", script.toString()));
  }

  private Result add(List<String> args) throws IOException {
    Path out = folder.resolve("result-" + results++ + ".json");
    Result result = new Result(String.join(" ", args), out);
    commands.put(result, JSON.writeValueAsString(Map.of("args", args, "out", out.toString())));
    return result;
  }

  /** Runs what was asked for; the results tell what came of it. */
  void run() throws IOException, InterruptedException {
    assertThat(runWhatHudiCan()).as("what Hudi %s failed at", version).isEmpty();
  }

  /** The same, but Hudi may fail: tells which commands it failed at, and how. */
  Map<Result, String> runWhatHudiCan() throws IOException, InterruptedException {
    Map<Result, String> failed = new LinkedHashMap<>();
    for (Map.Entry<Result, String> command : commands.entrySet()) {
      JsonNode answer = HudiProcess.of(version).run(command.getValue());
      if (answer.get("exit").asInt() != 0) {
        failed.put(command.getKey(), answer.path("failed").asText("see " + command.getKey().out));
      }
    }
    commands.clear();
    return failed;
  }

  /** What a command gave. */
  static final class Result {
    private final String command;
    private final Path out;

    private Result(String command, Path out) {
      this.command = command;
      this.out = out;
    }

    /** Each row as JSON, by partition and key. */
    List<JsonNode> rows() throws IOException {
      List<JsonNode> rows = new ArrayList<>();
      for (String line : Files.readAllLines(out)) {
        rows.add(JSON.readTree(line));
      }
      return rows;
    }

    /** The one object that validation gives. */
    JsonNode object() throws IOException {
      return JSON.readTree(out.toFile());
    }

    @Override
    public String toString() {
      return command;
    }
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("Not JSON: " + text, e);
    }
  }
}
