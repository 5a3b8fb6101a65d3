package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.WRITERS;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.intFrom;
import static io.hudilite.sql.Values.longFrom;
import static io.hudilite.sql.Values.nonEmptyText;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.text;

import java.util.List;

/**
 * What becomes of the options of compaction, cleaning, archiving, clustering and the sync to Hive.
 */
final class ServiceVerdicts {
  private ServiceVerdicts() {}

  static void addTo(OptionList list) {
    services(list);
    clustering(list);
    hiveSync(list);
  }

  // ---- C6: compaction, cleaning, archiving ----

  private static void services(OptionList list) {
    list.used(ServiceOptions.COMPACTION_SCHEDULE_ENABLED, WRITERS, bool());
    list.used(ServiceOptions.COMPACTION_ASYNC_ENABLED, WRITERS, bool());
    list.noEffect(
        "compaction.operation.execute.async.enabled",
        bool(),
        "Compactions always have a thread of their own.");
    list.used(ServiceOptions.COMPACTION_TASKS, WRITERS, intFrom(1));
    list.used(
        ServiceOptions.COMPACTION_TRIGGER_STRATEGY,
        WRITERS,
        oneOf(
            "num_commits",
            "num_commits_after_last_request",
            "time_elapsed",
            "num_and_time",
            "num_or_time"));
    list.used(ServiceOptions.COMPACTION_DELTA_COMMITS, WRITERS, intFrom(1));
    list.used(ServiceOptions.COMPACTION_DELTA_SECONDS, WRITERS, intFrom(1));
    list.used(ServiceOptions.COMPACTION_TIMEOUT_SECONDS, WRITERS, intFrom(1));
    list.used(ServiceOptions.COMPACTION_MAX_MEMORY, WRITERS, intFrom(1));
    list.used(ServiceOptions.COMPACTION_TARGET_IO, WRITERS, longFrom(1));
    list.noEffect(
        "hoodie.compact.inline", bool(), "Compactions run beside the writer, never inline.");
    list.used(ServiceOptions.COMPACTION_STRATEGY, WRITERS, nonEmptyText());
    list.used(ServiceOptions.COMPACTION_LOG_SIZE_THRESHOLD, WRITERS, longFrom(0));
    list.used(ServiceOptions.CLEAN_ASYNC_ENABLED, WRITERS, bool());
    list.used(
        ServiceOptions.CLEAN_POLICY,
        WRITERS,
        oneOf("KEEP_LATEST_COMMITS", "KEEP_LATEST_FILE_VERSIONS", "KEEP_LATEST_BY_HOURS"));
    list.used(ServiceOptions.CLEAN_RETAIN_COMMITS, WRITERS, intFrom(1));
    list.used(ServiceOptions.CLEAN_RETAIN_HOURS, WRITERS, intFrom(1));
    list.used(ServiceOptions.CLEAN_RETAIN_FILE_VERSIONS, WRITERS, intFrom(1));
    list.used(WriteOptions.FAILED_WRITES_POLICY, WRITERS, oneOf("EAGER", "LAZY"));
    list.used(ServiceOptions.CLEAN_MAX_COMMITS, WRITERS, intFrom(1));
    list.used(ServiceOptions.ARCHIVE_MAX_COMMITS, WRITERS, intFrom(1));
    list.used(ServiceOptions.ARCHIVE_MIN_COMMITS, WRITERS, intFrom(1));
    list.used(ServiceOptions.ARCHIVE_AUTOMATIC, WRITERS, bool());
  }

  // ---- C7: clustering ----

  private static void clustering(OptionList list) {
    list.used(ClusteringOptions.CLUSTERING_SCHEDULE_ENABLED, WRITERS, bool());
    list.used(ClusteringOptions.CLUSTERING_ASYNC_ENABLED, WRITERS, bool());
    list.used(ClusteringOptions.CLUSTERING_DELTA_COMMITS, WRITERS, intFrom(1));
    list.used(ClusteringOptions.CLUSTERING_TASKS, WRITERS, intFrom(1));
    list.used(ClusteringOptions.CLUSTERING_MAX_MEMORY, WRITERS, intFrom(1));
    list.used(ClusteringOptions.CLUSTERING_STRATEGY_CLASS, WRITERS, nonEmptyText());
    list.used(
        ClusteringOptions.CLUSTERING_FILTER_MODE,
        WRITERS,
        oneOf("NONE", "RECENT_DAYS", "SELECTED_PARTITIONS", "DAY_ROLLING"));
    list.used(ClusteringOptions.CLUSTERING_LOOKBACK, WRITERS, intFrom(1));
    list.used(ClusteringOptions.CLUSTERING_SKIP_LATEST, WRITERS, intFrom(0));
    list.used(ClusteringOptions.CLUSTERING_BEGIN_PARTITION, WRITERS, text());
    list.used(ClusteringOptions.CLUSTERING_END_PARTITION, WRITERS, text());
    list.used(ClusteringOptions.CLUSTERING_PARTITION_PATTERN, WRITERS, text());
    list.used(ClusteringOptions.CLUSTERING_PARTITION_SELECTED, WRITERS, text());
    list.used(ClusteringOptions.CLUSTERING_TARGET_FILE_BYTES, WRITERS, longFrom(1));
    list.used(ClusteringOptions.CLUSTERING_SMALL_FILE_LIMIT, WRITERS, longFrom(0));
    list.used(ClusteringOptions.CLUSTERING_SORT_COLUMNS, WRITERS, text());
    list.used(ClusteringOptions.CLUSTERING_MAX_GROUPS, WRITERS, intFrom(1));
    list.used(ClusteringOptions.CLUSTERING_MAX_GROUP_BYTES, WRITERS, longFrom(1));
    list.used(ClusteringOptions.CLUSTERING_LAYOUT, WRITERS, oneOf("linear", "z-order", "hilbert"));
    list.used(ClusteringOptions.CLUSTERING_UPDATES, WRITERS, nonEmptyText());
    list.noEffect(
        "hoodie.clustering.inline", bool(), "Clusterings run beside the writer, never inline.");
    list.noEffect(
        "hoodie.layout.optimize.curve.build.method",
        text(),
        "Curves go through ranks of a sample of the rows.");
    list.noEffect(
        "hoodie.clustering.execution.strategy.class", text(), "There is one way to do it.");
    list.notYet(
        "hoodie.clustering.plan.strategy.small.file.limit",
        longFrom(0),
        List.of(),
        "Set 'clustering.plan.strategy.small.file.limit' (in MB).");
  }

  // ---- C8: Hive sync ----

  private static void hiveSync(OptionList list) {
    list.refused(
        new String[] {"hive_sync.enabled", "hive_sync.enable"},
        WRITERS,
        bool(),
        List.of("false"),
        "This jar has no Hive client. Tables need no metastore; register the folder there by other"
            + " means if another engine wants it.");
    list.add(
        "hive_sync.mode",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("HMS", "HIVEQL", "JDBC", "GLUE"),
        List.of(),
        "Hive sync is off.");
    list.add(
        "hive_sync.table.strategy",
        Verdict.ALWAYS_SO,
        WRITERS,
        oneOf("RO", "RT", "ALL"),
        List.of(),
        "Hive sync is off.");
    for (String name :
        List.of(
            "metastore.uris",
            "db",
            "table",
            "jdbc_url",
            "username",
            "password",
            "partition_fields",
            "partition_extractor_class",
            "file_format",
            "table_properties",
            "serde_properties",
            "conf.dir")) {
      list.add(
          "hive_sync." + name, Verdict.ALWAYS_SO, WRITERS, text(), List.of(), "Hive sync is off.");
    }
    for (String name :
        List.of(
            "assume_date_partitioning",
            "use_jdbc",
            "auto_create_db",
            "ignore_exceptions",
            "skip_ro_suffix",
            "support_timestamp")) {
      list.add(
          "hive_sync." + name, Verdict.ALWAYS_SO, WRITERS, bool(), List.of(), "Hive sync is off.");
    }
  }
}
