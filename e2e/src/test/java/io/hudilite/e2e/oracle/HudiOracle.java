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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Real Apache Hudi of one version. Commands are collected and run in one process, since a start of
 * Spark costs ten seconds; their results can be asked for after {@link #run}.
 */
final class HudiOracle {
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  // The first run downloads Spark and Hudi.
  private static final int LIMIT_MINUTES = Integer.getInteger("oracle.minutes", 20);

  private final String version;
  private final Path folder;
  private final List<String> commands = new ArrayList<>();
  private int results;

  /**
   * @param folder for what it writes; made when it is not there
   */
  HudiOracle(String version, Path folder) throws IOException {
    this.version = version;
    this.folder = Files.createDirectories(folder);
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
    commands.add(JSON.writeValueAsString(Map.of("args", args, "out", out.toString())));
    return new Result(String.join(" ", args), out);
  }

  /** Runs what was asked for; the results tell what came of it. */
  void run() throws IOException, InterruptedException {
    Path log = runCommands();
    assertThat(failed(log)).as("Hudi %s: %s", version, Files.readString(log)).isEmpty();
  }

  /** The same, but Hudi may fail: tells which commands it failed at. */
  Set<String> runWhatHudiCan() throws IOException, InterruptedException {
    return failed(runCommands());
  }

  /** Commands by what a {@link Result} says of itself. */
  private static Set<String> failed(Path log) throws IOException {
    Set<String> failed = new HashSet<>();
    for (String line : Files.readAllLines(log)) {
      if (line.startsWith("{") && line.contains("\"exit\":")) {
        JsonNode command = JSON.readTree(line);
        if (command.get("exit").asInt() != 0) {
          List<String> args = new ArrayList<>();
          command.get("args").forEach(arg -> args.add(arg.asText()));
          failed.add(String.join(" ", args));
        }
      }
    }
    return failed;
  }

  private Path runCommands() throws IOException, InterruptedException {
    Path batch = folder.resolve("batch-" + results + ".jsonl");
    Path log = folder.resolve("batch-" + results + ".log");
    Files.write(batch, commands);
    commands.clear();
    Path script = Path.of(System.getProperty("project.root"), "e2e", "oracle", "hudi-oracle");
    Process process =
        new ProcessBuilder(script.toString(), "--hudi", version, "batch", batch.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException("Hudi %s did not end in %d min".formatted(version, LIMIT_MINUTES));
    }
    assertThat(process.exitValue())
        .as("Hudi %s ended: %s", version, Files.readString(log))
        .isIn(0, 1); // 1: a command failed
    return log;
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
