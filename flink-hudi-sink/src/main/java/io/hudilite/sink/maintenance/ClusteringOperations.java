package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.FLAG;
import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.LONG;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.PartitionFilter;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.sink.compact.CompactionSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.configuration.MemorySize;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Plans clusterings and carries them out. */
final class ClusteringOperations {
  private static final Logger LOG = LoggerFactory.getLogger(ClusteringOperations.class);
  private static final long MEGABYTE = 1 << 20;
  private static final PlannedWork WORK =
      new PlannedWork(
          "clustering",
          "another execution is at it, or writers are at its file groups; show_clusterings tells"
              + " when it is done",
          "the plan could not be carried out and was dropped");
  private static final String SORT_COLUMNS = "sort_columns";
  private static final String LAYOUT = "layout";
  private static final String TARGET = "target_file_bytes";
  private static final String SMALL = "small_file_mb";
  private static final String MAX_GROUPS = "max_groups";
  private static final String MAX_GROUP_BYTES = "max_group_bytes";
  private static final String FILTER = "partition_filter";
  private static final String LOOKBACK = "lookback_partitions";
  private static final String SKIP_LATEST = "skip_latest_partitions";
  private static final String BEGIN = "begin_partition";
  private static final String END = "end_partition";
  private static final String PATTERN = "partition_pattern";
  private static final String SELECTED = "partitions";
  private static final String COMMITS = "delta_commits";
  private static final String SCHEDULE = "schedule";
  private static final String TASKS = "tasks";
  private static final String MEMORY = "max_memory_mb";
  private static final String TIMEOUT = "timeout_seconds";
  private static final String PLAN = "clustering.plan.strategy.";

  /** Asked for by somebody, no commit is waited for; so options of the writing job do not count. */
  private static final List<Argument> OF_A_PLAN =
      List.of(
          Argument.optional(
              SORT_COLUMNS,
              TEXT,
              "Columns that rows are sorted by, parted by commas; none unless set.",
              PLAN + "sort.columns"),
          Argument.optional(
              LAYOUT,
              TEXT,
              "linear, z-order or hilbert; linear unless set.",
              "hoodie.layout.optimize.strategy"),
          Argument.optional(
              TARGET,
              LONG,
              "Size of new files in bytes; 1 GiB unless set.",
              PLAN + "target.file.max.bytes"),
          Argument.optional(
              SMALL,
              LONG,
              "File groups with a smaller base file, in megabytes, are taken; 600 unless set.",
              PLAN + "small.file.limit"),
          Argument.optional(
              MAX_GROUPS,
              INTEGER,
              "Groups of a plan at most, each a task; 30 unless set.",
              PLAN + "max.num.groups"),
          Argument.optional(
              MAX_GROUP_BYTES,
              LONG,
              "Bytes that a task reads at most; 2 GiB unless set.",
              "hoodie." + PLAN + "max.bytes.per.group"),
          Argument.optional(
              FILTER,
              TEXT,
              "NONE, RECENT_DAYS, SELECTED_PARTITIONS or DAY_ROLLING; NONE unless set.",
              "clustering.plan.partition.filter.mode"),
          Argument.optional(
              LOOKBACK,
              INTEGER,
              "Of RECENT_DAYS: so many partitions; 2 unless set.",
              PLAN + "daybased.lookback.partitions"),
          Argument.optional(
              SKIP_LATEST,
              INTEGER,
              "Of RECENT_DAYS: but for so many of the newest; 0 unless set.",
              PLAN + "daybased.skipfromlatest.partitions"),
          Argument.optional(
              BEGIN, TEXT, "Of SELECTED_PARTITIONS: the first.", PLAN + "cluster.begin.partition"),
          Argument.optional(
              END, TEXT, "Of SELECTED_PARTITIONS: the last.", PLAN + "cluster.end.partition"),
          Argument.optional(
              PATTERN,
              TEXT,
              "Only partitions whose path fits this regular expression.",
              PLAN + "partition.regex.pattern"),
          Argument.optional(
              SELECTED,
              TEXT,
              "Only these partition paths, parted by commas.",
              PLAN + "partition.selected"),
          Argument.optional(
                  COMMITS,
                  INTEGER,
                  "So many commits since the last plan make a plan; 0 unless set.")
              .alias("clustering.delta_commits"));

  static final Operation SCHEDULE_CLUSTERING =
      new Operation(
          "schedule_clustering",
          "Puts a plan on the timeline, which this or another job, or Hudi, carries out.",
          OF_A_PLAN,
          List.of(
              ResultColumn.of("state", TEXT, "planned or nothing"),
              ResultColumn.of("instant", TEXT, "of the plan"),
              ResultColumn.of("groups", INTEGER, "in the plan"),
              ResultColumn.of("file_groups", LONG, "in the plan"),
              ResultColumn.of("detail", TEXT, "why there is nothing to do")),
          ClusteringOperations::schedule);

  static final Operation CLUSTER =
      new Operation(
          "cluster",
          "Plans a clustering, unless told not to, and carries out all that are planned: small"
              + " files become large ones, with rows sorted if columns are named.",
          Stream.concat(
                  OF_A_PLAN.stream(),
                  Stream.of(
                      Argument.optional(
                          SCHEDULE, FLAG, "Whether a plan is made, too; true unless set."),
                      Argument.optional(
                          TASKS,
                          INTEGER,
                          "Parallelism of the job; that of the session unless set.",
                          "clustering.tasks"),
                      Argument.optional(
                          MEMORY,
                          INTEGER,
                          "Megabytes that a task sorts and merges in; 256 unless set.",
                          "clustering.max_memory"),
                      Argument.optional(
                          TIMEOUT,
                          INTEGER,
                          "An execution elsewhere without a sign of life for so long is taken over;"
                              + " 1200 unless set.",
                          "clustering.timeout.seconds")))
              .toList(),
          List.of(
              ResultColumn.of("state", TEXT, "completed, pending, submitted or nothing"),
              ResultColumn.of("instant", TEXT, "of the clustering"),
              ResultColumn.of("new_files", INTEGER, "that were written"),
              ResultColumn.of("rows_written", LONG, "to new files"),
              ResultColumn.of("bytes_written", LONG, "to new files"),
              ResultColumn.of("detail", TEXT, "why it is not done, or there is nothing to do")),
          ClusteringOperations::cluster);

  static final Operation SHOW_CLUSTERINGS =
      new Operation(
          "show_clusterings",
          "Lists clusterings, planned and completed, the newest first.",
          List.of(ShowOperations.ROWS),
          List.of(
              ResultColumn.of("instant", TEXT, "of the plan"),
              ResultColumn.of("state", TEXT, "requested, inflight or completed"),
              ResultColumn.of("file_groups", LONG, "in the plan, or replaced"),
              ResultColumn.of("new_files", INTEGER, "of completed ones"),
              ResultColumn.of("rows_written", LONG, "of completed ones"),
              ResultColumn.of("bytes_written", LONG, "of completed ones"),
              ResultColumn.of("completed_at", MOMENT, "when it became visible")),
          ClusteringOperations::show);

  private ClusteringOperations() {}

  private static ClusteringStrategy strategy(Call call) {
    ClusteringStrategy usual = ClusteringStrategy.DEFAULT;
    PartitionFilter everywhere = usual.partitions();
    return new ClusteringStrategy(
        call.number(TARGET, usual.targetFileBytes()),
        Math.multiplyExact(call.number(SMALL, usual.smallFileBytes() / MEGABYTE), MEGABYTE),
        call.number(MAX_GROUP_BYTES, usual.maxGroupBytes()),
        call.integer(MAX_GROUPS, usual.maxGroups()),
        words(call, SORT_COLUMNS),
        Layout.of(call.text(LAYOUT).orElse(usual.layout().word())),
        new PartitionFilter(
            PartitionFilter.Mode.of(call.text(FILTER).orElse(PartitionFilter.Mode.NONE.name())),
            call.integer(LOOKBACK, everywhere.lookback()),
            call.integer(SKIP_LATEST, everywhere.skipFromLatest()),
            call.text(BEGIN).orElse(""),
            call.text(END).orElse(""),
            call.text(PATTERN).orElse(""),
            words(call, SELECTED)));
  }

  private static List<String> words(Call call, String name) {
    return Arrays.stream(call.text(name).orElse("").split(",", -1))
        .map(String::trim)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  /** What a call asks for; also for a service that plans again and again. */
  static ClusteringConfig config(Call call) {
    boolean executes = call.isOf(CLUSTER);
    ClusteringConfig usual = ClusteringConfig.ON;
    ClusteringConfig.Builder config =
        usual.toBuilder()
            .trigger(new ClusteringTrigger(call.integer(COMMITS, 0)))
            .strategy(strategy(call))
            .executes(executes);
    if (executes) {
      config
          .schedules(call.flag(SCHEDULE, true))
          .tasks(call.integer(TASKS, 0))
          .timeout(Duration.ofSeconds(call.integer(TIMEOUT, (int) usual.timeout().toSeconds())))
          .maxMemory(
              MemorySize.ofMebiBytes(call.integer(MEMORY, usual.maxMemory().getMebiBytes())));
    }
    return config.build();
  }

  private static ClusteringScheduler.Result plan(Call call) throws IOException {
    ClusteringConfig config = config(call);
    call.writableTable();
    ClusteringScheduler.Result result =
        new ClusteringScheduler(config.trigger(), config.strategy(), call.wall())
            .schedule(call.storage());
    LOG.info("Clustering of '{}': {}", call.path(), result);
    return result;
  }

  private static List<Object[]> schedule(Call call) throws IOException {
    ClusteringScheduler.Result result = plan(call);
    if (result instanceof ClusteringScheduler.Result.Planned planned) {
      return List.<Object[]>of(
          new Object[] {
            "planned",
            planned.instant().digits(),
            planned.plan().groups().size(),
            fileGroups(planned.plan()),
            null
          });
    }
    return List.<Object[]>of(
        new Object[] {
          "nothing", null, 0, 0L, ((ClusteringScheduler.Result.Nothing) result).reason()
        });
  }

  private static long fileGroups(ClusteringPlan plan) {
    return plan.groups().stream().mapToLong(group -> group.slices().size()).sum();
  }

  private static List<Object[]> cluster(Call call) throws Exception {
    ClusteringConfig config = config(call);
    String reason = "no clustering is planned, and none was to be planned";
    HudiTable table = call.writableTable();
    if (config.schedules() && plan(call) instanceof ClusteringScheduler.Result.Nothing nothing) {
      reason = nothing.reason();
    }
    List<InstantTime> pending =
        table.refresh().timeline().pendingClusterings().stream()
            .map(Instant::requestedTime)
            .toList();
    return WORK.carryOut(
        call,
        reason,
        pending,
        env ->
            ServicesJob.append(
                env,
                call.path(),
                CompactionConfig.OFF,
                config.toBuilder().schedules(false).build(),
                CompactionSettings.Mode.ONCE));
  }

  private static List<Object[]> show(Call call) throws IOException {
    HudiTable table = call.table();
    int limit = ShowOperations.limit(call);
    List<Object[]> rows = new ArrayList<>();
    List<Instant> instants = new ArrayList<>(table.timeline().instants());
    instants.sort(Comparator.comparing(Instant::requestedTime).reversed());
    for (Instant instant : instants) {
      boolean isClustering =
          ShowOperations.begunAs(table, instant).equals(Action.CLUSTERING.word());
      if (!isClustering || rows.size() == limit) {
        continue;
      }
      Object[] row = new Object[7];
      row[0] = instant.requestedTime().digits();
      row[1] = ShowOperations.state(instant);
      if (instant instanceof Instant.Completed completed) {
        CommitMetadata commit = table.timelineStore().readCommit(completed);
        row[2] = commit.replacedFileIds().values().stream().mapToLong(List::size).sum();
        row[3] = commit.writeStats().size();
        row[4] = commit.writeStats().stream().mapToLong(WriteStat::numWrites).sum();
        row[5] = commit.writeStats().stream().mapToLong(WriteStat::fileSizeInBytes).sum();
        row[6] = ShowOperations.moment(table, completed.completionTime());
      } else {
        row[2] =
            fileGroups(
                table
                    .timelineStore()
                    .readClusteringPlan(instant.requestedTime(), instant.action()));
      }
      rows.add(row);
    }
    return rows;
  }
}
