package io.hudilite.e2e.oracle;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A process with Spark and one version of Hudi, which takes commands one after the other. All tests
 * share one for each version, since a start takes ten seconds and the first commands of each are
 * slow. It ends when this process does, as its stdin ends then.
 */
final class HudiProcess {
  // The first start of a version downloads Spark and Hudi.
  private static final long LIMIT_MINUTES = Long.getLong("oracle.minutes", 20);

  /** Spark keeps something of each table: a new process once in a while has room again. */
  private static final int COMMANDS = 1_500;

  private static final Map<String, HudiProcess> BY_VERSION = new HashMap<>();

  private final String version;
  private final Path log;
  private final Process process;
  private final BufferedWriter commands;
  private final BufferedReader answers;
  private int count;

  private HudiProcess(String version) throws IOException {
    this.version = version;
    Path root = Path.of(System.getProperty("project.root"));
    this.log =
        Files.createDirectories(root.resolve("e2e/target")).resolve("hudi-" + version + ".log");
    ProcessBuilder start =
        new ProcessBuilder(
                root.resolve("e2e/oracle/hudi-oracle").toString(), "--hudi", version, "serve")
            .redirectError(log.toFile());
    start.environment().putIfAbsent("HUDI_ORACLE_HEAP", "2g");
    this.process = start.start();
    this.commands = process.outputWriter(StandardCharsets.UTF_8);
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Of this version; started if there is none yet. */
  static synchronized HudiProcess of(String version) throws IOException {
    HudiProcess running = BY_VERSION.get(version);
    if (running != null && running.count < COMMANDS && running.process.isAlive()) {
      return running;
    }
    if (running != null) {
      running.end();
    }
    HudiProcess started = new HudiProcess(version);
    BY_VERSION.put(version, started);
    return started;
  }

  /**
   * Runs one command.
   *
   * @param command a line as the oracle's README has it for {@code serve}
   * @return its answer
   */
  synchronized JsonNode run(String command) throws IOException, InterruptedException {
    count++;
    commands.write(command);
    commands.newLine();
    commands.flush();
    CompletableFuture<String> line = CompletableFuture.supplyAsync(this::answer);
    try {
      String answer = line.get(LIMIT_MINUTES, TimeUnit.MINUTES);
      if (answer == null) {
        throw new IOException("Hudi %s ended at %s: see %s".formatted(version, command, log));
      }
      return HudiOracle.json(answer);
    } catch (TimeoutException e) {
      end();
      throw new IOException(
          "Hudi %s did not end %s in %d min: see %s"
              .formatted(version, command, LIMIT_MINUTES, log),
          e);
    } catch (ExecutionException e) {
      throw new IOException("Hudi %s, at %s: see %s".formatted(version, command, log), e);
    }
  }

  /** Lines that libraries print are none. */
  private String answer() {
    try {
      String line = answers.readLine();
      while (line != null && !line.startsWith("{")) {
        line = answers.readLine();
      }
      return line;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end() {
    process.destroyForcibly();
  }
}
