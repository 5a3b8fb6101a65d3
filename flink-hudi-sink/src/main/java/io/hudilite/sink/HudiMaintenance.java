package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.maintenance.Argument;
import io.hudilite.sink.maintenance.Call;
import io.hudilite.sink.maintenance.JobRunner;
import io.hudilite.sink.maintenance.Operation;
import io.hudilite.sink.maintenance.Operations;
import io.hudilite.sink.maintenance.ServiceJob;
import io.hudilite.sink.maintenance.TextTable;
import java.io.PrintStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * The operations of {@link Operations} as commands, beside a job that writes or without one:
 *
 * <pre>{@code
 * flink run -c io.hudilite.sink.HudiMaintenance flink-hudi-sql.jar compact --path s3://lake/orders
 *
 * --path PATH          base path of the table; required
 * --ARGUMENT VALUE     of the operation; help OPERATION lists them
 * --service            compact only: look again and again, instead of ending
 * --interval SECONDS   between two looks of a service; 60 unless set
 * }</pre>
 *
 * Prints the result as a table. Ends with exit code 0 if it is done or there was nothing to do,
 * which it says; with 1 and the reason otherwise.
 */
public final class HudiMaintenance {
  private HudiMaintenance() {}

  /** Runs one operation. */
  public static void main(String[] args) throws Exception {
    run(StreamExecutionEnvironment.getExecutionEnvironment(), System.out, args);
  }

  /**
   * Runs one operation, with its job if it takes one.
   *
   * @throws HudiTableException if an argument is wrong
   */
  static void run(StreamExecutionEnvironment env, PrintStream out, String... args)
      throws Exception {
    if (args.length == 0 || List.of("help", "--help", "-h").contains(args[0])) {
      out.println(args.length > 1 ? usage(Operations.of(args[1])) : usage());
      return;
    }
    Operation operation = Operations.of(args[0]);
    Given given = Given.of(operation, args);
    JobRunner jobs =
        (name, job) -> {
          job.accept(env);
          return env.execute(name).isJobExecutionResult();
        };
    Call call = Call.of(operation, given.path(), given.values(), jobs, InstantSource.system());
    if (given.interval().isPresent()) {
      ServiceJob.append(env, operation, call, given.interval().get());
      env.execute("service " + operation.name() + " of " + given.path());
      return;
    }
    out.print(TextTable.of(operation.result(), operation.body().run(call)));
  }

  private static String usage() {
    StringBuilder text =
        new StringBuilder("HudiMaintenance OPERATION --path PATH [--ARGUMENT VALUE ...]\n\n");
    for (Operation operation : Operations.all()) {
      text.append("  %-22s %s%n".formatted(operation.name(), operation.help()));
    }
    return text.append("\nHudiMaintenance help OPERATION tells its arguments").toString();
  }

  private static String usage(Operation operation) {
    StringBuilder text =
        new StringBuilder("HudiMaintenance %s --path PATH".formatted(operation.name()));
    operation.arguments().stream()
        .filter(Argument::isRequired)
        .forEach(a -> text.append(" --").append(a.name()).append(" VALUE"));
    text.append("\n\n").append(operation.help()).append("\n\n");
    for (Argument argument : operation.arguments()) {
      text.append("  --%-22s %s%n".formatted(argument.name(), argument.help()));
    }
    if (ServiceJob.isOne(operation)) {
      text.append("  --%-22s %s%n".formatted("service", "Look again and again."));
      text.append("  --%-22s %s%n".formatted("interval", "Seconds in between; 60 unless set."));
    }
    return text.toString().stripTrailing();
  }

  /**
   * What the command line says.
   *
   * @param interval of a service
   */
  private record Given(String path, Map<String, Object> values, Optional<Duration> interval) {

    static Given of(Operation operation, String... args) {
      Map<String, Object> values = new HashMap<>();
      String path = null;
      boolean isService = false;
      int seconds = 60;
      for (int i = 1; i < args.length; i++) {
        String key = args[i].startsWith("--") ? args[i].substring(2) : "";
        Optional<Argument> argument =
            operation.argument(key).or(() -> operation.argument(key.replace('-', '_')));
        boolean isOfService =
            ServiceJob.isOne(operation) && (key.equals("service") || key.equals("interval"));
        if (argument.isEmpty() && !isOfService && !key.equals("path")) {
          throw unknown(operation, args[i]);
        }
        if (key.equals("service")) {
          isService = true;
          continue;
        }
        if (++i == args.length) {
          throw new HudiTableException("--" + key + " needs a value behind it");
        }
        String value = args[i];
        if (key.equals("path")) {
          path = value;
        } else if (key.equals("interval")) {
          seconds = (int) io.hudilite.sink.maintenance.ValueKind.INTEGER.parse(key, value);
        } else {
          values.put(
              argument.orElseThrow().name(), argument.orElseThrow().kind().parse(key, value));
        }
      }
      if (path == null) {
        throw new HudiTableException("Which table? Add --path with the table's base path");
      }
      return new Given(
          path, values, isService ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty());
    }

    private static HudiTableException unknown(Operation operation, String arg) {
      TreeSet<String> known = new TreeSet<>(List.of("path"));
      operation.arguments().forEach(a -> known.add(a.name()));
      if (ServiceJob.isOne(operation)) {
        known.addAll(List.of("service", "interval"));
      }
      return new HudiTableException(
          "'%s' is not known to %s; known are --%s"
              .formatted(arg, operation.name(), String.join(", --", new ArrayList<>(known))));
    }
  }
}
