package io.hudilite.bench;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.flink.runtime.util.EnvironmentInformation;

/** Runs one workload of one system and prints one line of JSON. */
public final class Main {
  private static final long EXIT_PATIENCE_MILLIS = 15_000;

  private final Report report = new Report();
  private final AtomicBoolean printed = new AtomicBoolean();
  private final PrintStream json;

  private Main(PrintStream json) {
    this.json = json;
  }

  public static void main(String[] args) {
    PrintStream json = System.out;
    System.setOut(System.err); // what connectors print
    Main main = new Main(json);
    Runtime.getRuntime().addShutdownHook(new Thread(main::tellKilled));
    exit(main.run(Flags.parse(args)));
  }

  private int run(Flags flags) {
    int code = 0;
    try {
      measure(flags);
      report.putIfAbsent("status", "ok");
    } catch (Throwable e) {
      e.printStackTrace();
      report.put("status", "failed");
      Throwable cause = e;
      while (cause.getCause() != null && cause.getCause() != cause) {
        cause = cause.getCause();
      }
      report.put("error", cause.toString());
      code = 1;
    }
    report.put("load_avg", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    report.put("peak_rss_mb", Usage.peakResidentMegabytes());
    print();
    return code;
  }

  private void measure(Flags flags) throws Exception {
    Run run = new Run(flags, report);
    report.put("system", flags.text("system", "?"));
    report.put("workload", run.workload);
    if (flags.has("tag")) {
      report.put("tag", flags.text("tag", ""));
    }
    report.put("flink", EnvironmentInformation.getVersion());
    report.put("rows", run.rows);
    report.put("keys", run.keys);
    report.put("dist", flags.text("dist", "uniform"));
    report.put("parallelism", run.parallelism);
    if (run.template.unsupported.contains(run.workload)) {
      report.put("status", "unsupported");
      return;
    }
    new Workloads(run, Cluster.start(run)).execute();
  }

  /** A run that is timed out still tells the phases that it has finished. */
  private void tellKilled() {
    if (!printed.get()) {
      report.put("status", "killed");
      print();
    }
  }

  private void print() {
    if (printed.compareAndSet(false, true)) {
      json.println(report.toJson());
      json.flush();
    }
  }

  /** Connectors leave threads and hooks that may not end. */
  private static void exit(int code) {
    System.err.flush();
    Thread dog =
        new Thread(
            () -> {
              try {
                Thread.sleep(EXIT_PATIENCE_MILLIS);
              } catch (InterruptedException e) {
                // then now
              }
              Runtime.getRuntime().halt(code);
            });
    dog.setDaemon(true);
    dog.start();
    System.exit(code); // not halt: a flight recording is written by a shutdown hook
  }
}
