package io.hudilite.sink.maintenance;

import static io.hudilite.sink.maintenance.ValueKind.INTEGER;
import static io.hudilite.sink.maintenance.ValueKind.MOMENT;
import static io.hudilite.sink.maintenance.ValueKind.TEXT;

import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.health.HealthLimits;
import io.hudilite.core.health.RetentionAdvice;
import io.hudilite.core.health.SliceSize;
import io.hudilite.core.health.SliceSizes;
import io.hudilite.core.health.TableHealth;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.readerlease.ReaderLease;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.flink.table.types.logical.RowType;

/** Tells how a table is and who is at it, and ends a lease. */
final class StateOperations {
  private static final String HOLDER = "holder";
  private static final String WRITER = "writer";
  private static final String COMMITS = "retain_commits";

  private static final List<ResultColumn> FACTS =
      List.of(
          ResultColumn.of("name", TEXT, "of what is told"),
          ResultColumn.of("value", TEXT, "as text"));

  static final Operation SHOW_LEASES =
      new Operation(
          "show_leases",
          "Lists who writes the table, and the readers that cleaning waits for.",
          List.of(),
          List.of(
              ResultColumn.of("kind", TEXT, "writer or reader"),
              ResultColumn.of("holder", TEXT, "the argument of expire_lease"),
              ResultColumn.of("detail", TEXT, "the job, or the position of the reader"),
              ResultColumn.of(
                  "expires_at",
                  MOMENT,
                  "unless it is renewed; writers show signs of life instead")),
          StateOperations::leases);

  static final Operation EXPIRE_LEASE =
      new Operation(
          "expire_lease",
          "Ends a lease: cleaning no longer waits for the reader, or the writer is fenced off and"
              + " fails, and the next one begins at once.",
          List.of(
              Argument.required(
                  HOLDER, TEXT, "As show_leases tells it: writer, or the name of a reader.")),
          List.of(
              ResultColumn.of("state", TEXT, "expired"),
              ResultColumn.of("holder", TEXT, "whose lease it was"),
              ResultColumn.of("detail", TEXT, "about the holder")),
          StateOperations::expire);

  static final Operation DESCRIBE_TABLE =
      new Operation(
          "describe_table",
          "Tells what kind of table it is: type, version, key, merging, columns, and the ends of"
              + " its timeline.",
          List.of(),
          FACTS,
          StateOperations::describe);

  static final Operation SHOW_HEALTH =
      new Operation(
          "show_health",
          "Tells whether compaction, clustering and cleaning keep up, and whether cleaning retains"
              + " what the readers look back at. Lists the whole table once.",
          List.of(
              Argument.optional(
                  COMMITS,
                  INTEGER,
                  "Commits that cleaning retains; 30 unless set.",
                  "clean.retain_commits",
                  "hoodie.clean.commits.retained",
                  "hoodie.cleaner.commits.retained")),
          FACTS,
          StateOperations::health);

  private StateOperations() {}

  private static List<Object[]> leases(Call call) throws IOException {
    List<Object[]> rows = new ArrayList<>();
    Optional<WriterLease.Held> writer = WriterLease.newest(call.storage());
    if (writer.isPresent() && !writer.get().isReleased()) {
      rows.add(new Object[] {WRITER, WRITER, writer.get().holder().toText(), null});
    }
    for (ReaderLease lease : new ReaderLeaseStore(call.storage(), call.wall()).held()) {
      rows.add(
          new Object[] {
            "reader",
            lease.reader(),
            "needs the table from " + lease.position() + " on",
            java.time.Instant.ofEpochMilli(lease.expiresMillis())
          });
    }
    return rows;
  }

  private static List<Object[]> expire(Call call) throws IOException {
    String holder = call.text(HOLDER).orElseThrow();
    if (holder.equals(WRITER)) {
      Optional<WriterLease.Held> ended =
          WriterLease.expire(
              call.storage(),
              new LeaseHolder(
                  "expire-" + UUID.randomUUID(),
                  "expire_lease",
                  "process " + ManagementFactory.getRuntimeMXBean().getName(),
                  call.wall().instant().toString(),
                  Duration.ofSeconds(1)));
      if (ended.isPresent()) {
        return List.<Object[]>of(new Object[] {"expired", WRITER, ended.get().holder().toText()});
      }
    } else if (new ReaderLeaseStore(call.storage(), call.wall()).release(holder)) {
      return List.<Object[]>of(
          new Object[] {"expired", holder, "a reader that lives takes it again when it renews it"});
    }
    throw new HudiTableException(
        "'%s' holds no lease of the table at '%s'; these do: %s"
            .formatted(holder, call.path(), leases(call).stream().map(row -> row[1]).toList()));
  }

  private static List<Object[]> describe(Call call) throws IOException {
    HudiTable table = call.table();
    TableConfig config = table.config();
    Facts facts = new Facts();
    facts.add("path", table.storage().location());
    facts.add("table name", config.tableName());
    facts.add("database", config.databaseName());
    facts.add("type", config.type());
    facts.add("table version", config.version().number());
    facts.add("record key", String.join(", ", config.recordKeyFields()));
    facts.add("partitioned by", String.join(", ", config.partitionFields()));
    facts.add("key generator", config.keyGenerator());
    facts.add("merge mode", config.mergeMode());
    facts.add("ordering fields", String.join(", ", config.orderingFields()));
    config.bucketNumber().ifPresent(number -> facts.add("buckets", number));
    facts.add("timeline zone", config.timelineZone());
    facts.add("metadata table", String.join(", ", config.metadataPartitions()));
    for (RowType.RowField column : table.schema().rowType().getFields()) {
      facts.add("column " + column.getName(), column.getType().asSummaryString());
    }
    List<Instant.Completed> writes = table.timeline().completedWrites();
    facts.add("commits on the active timeline", writes.size());
    if (!writes.isEmpty()) {
      facts.add("oldest of them", writes.get(0).requestedTime());
      facts.add("newest of them", writes.get(writes.size() - 1).requestedTime());
    }
    facts.add("pending instants", table.timeline().pendingWrites().size());
    return facts.rows();
  }

  private static List<Object[]> health(Call call) throws IOException {
    HudiTable table = call.table();
    List<SliceSize> slices = new ArrayList<>();
    for (String partition : table.view().partitions()) {
      for (FileSlice slice : table.view().latestSlices(partition)) {
        slices.add(
            new SliceSize(
                slice.baseFile().map(BaseFile::lengthBytes).orElse(0L),
                slice.logFiles().size(),
                slice.logBytes()));
      }
    }
    SliceSizes commits = new SliceSizes();
    commits.update(table.timeline(), table.timelineStore());
    long now = call.wall().millis();
    List<ReaderLease> leases = new ReaderLeaseStore(call.storage(), call.wall()).held();
    TableHealth health =
        TableHealth.of(
            table.timeline(),
            table.config().timelineZone(),
            slices,
            commits.oldestUncompacted(),
            leases,
            HealthLimits.DEFAULT,
            now);
    Facts facts = new Facts();
    facts.add("seconds since the last commit", seconds(health.lastCommitMillis(), now));
    facts.add(
        "seconds since the oldest uncompacted delta commit",
        seconds(health.oldestUncompactedMillis(), now));
    facts.add("pending compactions", health.compactions().count());
    facts.add(
        "seconds since the oldest pending compaction",
        seconds(health.compactions().oldestMillis(), now));
    facts.add("pending clusterings", health.clusterings().count());
    facts.add(
        "seconds since the oldest pending clustering",
        seconds(health.clusterings().oldestMillis(), now));
    facts.add("file groups", health.slices());
    facts.add("log files per slice, max", health.logFiles().max());
    facts.add("log files per slice, p95", health.logFiles().p95());
    facts.add("log bytes per slice, max", health.logBytes().max());
    facts.add("log bytes per slice, p95", health.logBytes().p95());
    facts.add("base files", health.baseFiles());
    facts.add("small base files", health.smallBaseFiles());
    facts.add("reader leases", health.readerLeases());
    facts.add("reader leases at risk", health.readerLeasesAtRisk());
    int retained = call.integer(COMMITS, CleanRetention.DEFAULT.commits());
    Optional<RetentionAdvice> advice =
        RetentionAdvice.of(table.timeline(), table.config().timelineZone(), leases, now);
    facts.add("commits retained", retained);
    facts.add("commits that readers need", advice.map(a -> "" + a.needed()).orElse(""));
    facts.add("commits to retain", advice.map(a -> "" + a.advised()).orElse(""));
    facts.add("warning", advice.flatMap(a -> a.warning(retained)).orElse(""));
    return facts.rows();
  }

  private static String seconds(OptionalLong sinceMillis, long now) {
    return sinceMillis.isEmpty()
        ? ""
        : Long.toString(Math.max(0, (now - sinceMillis.getAsLong()) / 1000));
  }

  /** Rows of a name and a value. */
  private static final class Facts {
    private final List<Object[]> rows = new ArrayList<>();

    void add(String name, Object value) {
      rows.add(new Object[] {name, String.valueOf(value)});
    }

    List<Object[]> rows() {
      return rows;
    }
  }
}
