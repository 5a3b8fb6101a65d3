package io.hudilite.e2e.cluster;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A Flink of several processes on this machine, by the script {@code cluster/flink-local-cluster}.
 */
final class FlinkCluster implements AutoCloseable {
  private static final int LIMIT_MINUTES = 10;

  private final Path home;
  private final Map<String, String> environment;
  private final Path script;

  private FlinkCluster(Path home, Map<String, String> environment) {
    this.home = home;
    this.environment = environment;
    this.script =
        Path.of(System.getProperty("project.root"), "e2e", "cluster", "flink-local-cluster");
  }

  /**
   * Gets a Flink version from Maven Central, unless it is there from an earlier run, puts the
   * connector's jar into its {@code lib} and starts it.
   */
  static FlinkCluster start(String version, Path connector, int taskManagers) throws Exception {
    Path home = Path.of("target", "cluster", version).toAbsolutePath();
    FlinkCluster cluster =
        new FlinkCluster(
            home,
            Map.of(
                "FLINK_VERSION", version,
                "FLC_HOME", home.toString(),
                // One slot in each, so that a job of that parallelism needs every TaskManager.
                "FLC_TM_SLOTS", "1",
                "FLC_REST_PORT", Integer.toString(freePort()),
                "FLC_RPC_PORT", Integer.toString(freePort()),
                "FLC_GATEWAY_PORT", Integer.toString(freePort())));
    cluster.script("stop");
    // Writes the configuration too, with these ports.
    cluster.script("prepare");
    Path lib = home.resolve("lib");
    try (DirectoryStream<Path> old = Files.newDirectoryStream(lib, "flink-hudi-*.jar")) {
      for (Path jar : old) {
        Files.delete(jar);
      }
    }
    Files.copy(
        connector, lib.resolve(connector.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    cluster.script("start", Integer.toString(taskManagers));
    return cluster;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return socket.getLocalPort();
    }
  }

  /** Runs statements in the SQL client and gives what it printed. */
  String sql(String statements) throws Exception {
    Path file = Files.createTempFile(home, "statements", ".sql");
    Files.writeString(file, statements);
    String printed = script("sql", "-f", file.toString());
    if (printed.contains("[ERROR]")) {
      throw new IOException("The SQL client failed:\n" + printed);
    }
    return printed;
  }

  /** Runs statements whose last one submits a job, and gives the job's id. */
  String submit(String statements) throws Exception {
    return find("Job ID: ([0-9a-f]{32})", sql(statements));
  }

  /** Stops a job with a savepoint, and gives the savepoint's path. */
  String stop(String job) throws Exception {
    String printed =
        script("flink", "stop", "-m", "127.0.0.1:" + environment.get("FLC_REST_PORT"), job);
    return find("Savepoint completed. Path: (\\S+)", printed);
  }

  void kill(int taskManager) throws Exception {
    script("kill-tm", Integer.toString(taskManager));
  }

  void startTaskManager(int taskManager) throws Exception {
    script("start-tm", Integer.toString(taskManager));
  }

  /** State of a job in Flink's words, such as {@code RUNNING}. */
  String jobState(String job) throws Exception {
    return find("\"state\":\"([A-Z]+)\"", script("api", "jobs/" + job));
  }

  /** How often a job has been started again after failures. */
  int restarts(String job) throws Exception {
    String metric = script("api", "jobs/" + job + "/metrics?get=numRestarts");
    Matcher matcher = Pattern.compile("\"value\":\"(\\d+)\"").matcher(metric);
    return matcher.find() ? Integer.parseInt(matcher.group(1)) : 0;
  }

  /** Waits until a condition holds. */
  static void await(String what, Duration limit, Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Not within " + limit.toSeconds() + " s: " + what);
      }
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  private static String find(String pattern, String text) throws IOException {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IOException("No " + pattern + " in:\n" + text);
    }
    return matcher.group(1);
  }

  private String script(String... args) throws Exception {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(args));
    Path out = Files.createTempFile("flink-local-cluster", ".out");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
    builder.environment().putAll(environment);
    Process process = builder.start();
    if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
      process.destroyForcibly();
      throw new IOException(command + " did not end in " + LIMIT_MINUTES + " min");
    }
    String printed = Files.readString(out);
    Files.delete(out);
    if (process.exitValue() != 0) {
      throw new IOException(
          "%s: exit code %d\n%s".formatted(command, process.exitValue(), printed));
    }
    return printed;
  }

  @Override
  public void close() throws Exception {
    script("stop");
  }
}
