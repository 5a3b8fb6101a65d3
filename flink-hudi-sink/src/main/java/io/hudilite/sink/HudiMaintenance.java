package io.hudilite.sink;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.PlanOrder;
import io.hudilite.core.compact.TriggerStrategy;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.compact.CompactionOperatorFactory;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;

/**
 * Table services as jobs of their own, beside a job that writes or without one:
 *
 * <pre>{@code
 * flink run -c io.hudilite.sink.HudiMaintenance flink-hudi-sql.jar compact --path s3://lake/orders
 * flink run -c io.hudilite.sink.HudiMaintenance flink-hudi-sql.jar cluster --path s3://lake/orders
 *
 * --path PATH          base path of the table; required
 * --schedule BOOLEAN   whether plans are made here, too; true unless set
 * --execute BOOLEAN    whether plans are carried out here; true unless set
 * --service            look again and again, instead of ending
 * --interval SECONDS   between two looks of a service; 60 unless set
 * --tasks N            parallelism; that of the environment unless set
 * --KEY VALUE          an option of the service, such as --compaction.delta_commits 1
 * }</pre>
 *
 * A job that finds nothing to do says why in its log, and ends well.
 */
public final class HudiMaintenance {
  private static final Set<String> OWN =
      Set.of("path", "schedule", "execute", "service", "interval", "tasks");
  private static final Set<String> OF_COMPACTION =
      Set.of(
          "compaction.trigger.strategy",
          "compaction.delta_commits",
          "compaction.delta_seconds",
          "compaction.timeout.seconds",
          "compaction.max_memory",
          "compaction.target_io",
          "hoodie.compaction.strategy",
          "hoodie.compaction.logfile.size.threshold");

  private HudiMaintenance() {}

  /** Runs one service. */
  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    String name = build(env, args);
    env.execute(name);
  }

  /**
   * Adds the service to an environment.
   *
   * @return a name for the job
   * @throws HudiTableException if an argument is wrong
   */
  static String build(StreamExecutionEnvironment env, String... args) {
    String service = args.length == 0 ? "" : args[0];
    Set<String> known =
        switch (service) {
          case "compact" -> OF_COMPACTION;
          case "cluster" -> ClusteringArguments.KEYS;
          default ->
              throw new HudiTableException(
                  "The first argument is '%s'; it must be the name of a service: compact or cluster"
                      .formatted(service));
        };
    Map<String, String> options = options(known, args);
    String path = options.get("path");
    if (path == null) {
      throw new HudiTableException("Which table? Add --path with the table's base path");
    }
    CompactionSettings.Mode mode =
        options.containsKey("service")
            ? new CompactionSettings.Mode(
                CompactionSettings.Kind.SERVICE,
                Duration.ofSeconds(number(options, "interval", 60)))
            : CompactionSettings.Mode.ONCE;
    boolean isClustering = service.equals("cluster");
    append(
        env,
        path,
        isClustering ? CompactionConfig.OFF : compaction(options),
        isClustering
            ? ClusteringArguments.parse(
                flag(options, "schedule"),
                flag(options, "execute"),
                (int) number(options, "tasks", 0),
                options)
            : ClusteringConfig.OFF,
        mode);
    return (isClustering ? "clustering of " : "compaction of ") + path;
  }

  /** True unless it is said to be false. */
  private static boolean flag(Map<String, String> options, String key) {
    return !options.getOrDefault(key, "true").equalsIgnoreCase("false");
  }

  private static Map<String, String> options(Set<String> ofService, String... args) {
    Map<String, String> options = new LinkedHashMap<>();
    for (int i = 1; i < args.length; i++) {
      String key = args[i].startsWith("--") ? args[i].substring(2) : "";
      if (!OWN.contains(key) && !ofService.contains(key)) {
        Set<String> known = new TreeSet<>(OWN);
        known.addAll(ofService);
        throw new HudiTableException(
            "'%s' is not known; known are --%s".formatted(args[i], String.join(", --", known)));
      }
      if (key.equals("service")) {
        options.put(key, "");
      } else if (++i == args.length) {
        throw new HudiTableException("--" + key + " needs a value behind it");
      } else {
        options.put(key, args[i]);
      }
    }
    return options;
  }

  /** Offline, one delta commit is enough: somebody has asked for a compaction now. */
  private static CompactionConfig compaction(Map<String, String> options) {
    long megabyte = 1 << 20;
    return new CompactionConfig(
        flag(options, "schedule"),
        flag(options, "execute"),
        (int) number(options, "tasks", 0),
        new CompactionTrigger(
            TriggerStrategy.of(
                options.getOrDefault(
                    "compaction.trigger.strategy", CompactionTrigger.ALWAYS.strategy().name())),
            (int) number(options, "compaction.delta_commits", 1),
            Duration.ofSeconds(number(options, "compaction.delta_seconds", 0))),
        new PlanLimits(
            PlanOrder.of(
                options.getOrDefault("hoodie.compaction.strategy", PlanOrder.LOG_SIZE.hudiName())),
            number(options, "compaction.target_io", 512_000) * megabyte,
            number(options, "hoodie.compaction.logfile.size.threshold", 0),
            PlanLimits.DEFAULT.baseFileBytes()),
        Duration.ofSeconds(number(options, "compaction.timeout.seconds", 1_200)),
        MemorySize.ofMebiBytes(number(options, "compaction.max_memory", 100)));
  }

  static long number(Map<String, String> options, String key, long whenAbsent) {
    String text = options.get(key);
    try {
      return text == null ? whenAbsent : Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new HudiTableException("--%s is '%s'; it must be a number".formatted(key, text), e);
    }
  }

  /** Adds a compaction that is not beside a writer. */
  static void appendCompaction(
      StreamExecutionEnvironment env,
      String path,
      CompactionConfig config,
      CompactionSettings.Mode mode) {
    append(env, path, config, ClusteringConfig.OFF, mode);
  }

  /**
   * Adds services that are not beside a writer. The only number of the source ends its input at
   * once; the operator ends when its coordinator has nothing more for it.
   */
  static void append(
      StreamExecutionEnvironment env,
      String path,
      CompactionConfig config,
      ClusteringConfig clustering,
      CompactionSettings.Mode mode) {
    SingleOutputStreamOperator<Long> compaction =
        env.fromSource(new NumberSequenceSource(0, 0), WatermarkStrategy.noWatermarks(), "start")
            .setParallelism(1)
            .transform(
                clustering.isOn() ? HudiSink.CLUSTERING : HudiSink.COMPACTION,
                Types.LONG,
                new CompactionOperatorFactory<>(
                    new CompactionSettings(
                        path,
                        UUID.randomUUID().toString(),
                        mode,
                        config,
                        clustering,
                        false,
                        HousekeepingConfig.OFF,
                        BaseFileSettings.DEFAULT.compression(),
                        BaseFileSettings.DEFAULT.rowGroupBytes(),
                        BaseFileSettings.DEFAULT.pageBytes())));
    int tasks = Math.max(config.tasks(), clustering.tasks());
    if (tasks > 0) {
      compaction.setParallelism(tasks);
    }
    ((PhysicalTransformation<?>) compaction.getTransformation())
        .setSupportsConcurrentExecutionAttempts(false);
    compaction
        .sinkTo(new DiscardingSink<>())
        .name("end")
        .setParallelism(compaction.getParallelism());
  }
}
