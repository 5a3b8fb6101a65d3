package io.hudilite.e2e.oracle;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.archive.TimelineArchiver;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.clustering.ClusteringScheduler;
import io.hudilite.core.clustering.ClusteringStrategy;
import io.hudilite.core.clustering.ClusteringTrigger;
import io.hudilite.core.clustering.Layout;
import io.hudilite.core.clustering.TableClustering;
import io.hudilite.core.compact.CompactionScheduler;
import io.hudilite.core.compact.CompactionTrigger;
import io.hudilite.core.compact.PlanLimits;
import io.hudilite.core.compact.ScheduleResult;
import io.hudilite.core.compact.TableCompaction;
import io.hudilite.core.compact.TakeOver;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.MorTable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real Hudi on what our services leave, and each side on the other's plans. */
@Tag("oracle")
class TableServicesTest {
  @TempDir Path folder;

  private static void plan(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    assertThat(
            new CompactionScheduler(CompactionTrigger.ALWAYS, PlanLimits.DEFAULT)
                .schedule(table.open(), table.clock().next()))
        .isInstanceOf(ScheduleResult.Planned.class);
  }

  private static void execute(Storage storage, MorTable table) throws IOException {
    assertThat(
            new TableCompaction(
                    storage,
                    BaseFileSettings.DEFAULT,
                    MergeMemory.DEFAULT,
                    new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
                .executePending())
        .isNotEmpty()
        .allMatch(TableCompaction.Result.Completed.class::isInstance);
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private static List<String> rows(HudiOracle.Result read) throws IOException {
    return read.rows().stream()
        .map(
            row ->
                row.get("p").asText()
                    + "/"
                    + row.get("id").asText()
                    + "="
                    + row.get("name").asText()
                    + "@"
                    + row.get("ts").asText())
        .sorted()
        .toList();
  }

  private static String steps(String steps) {
    return """
    {"table": "t",
     "schema": "id STRING, name STRING, ts BIGINT, p STRING",
     "options": {"hoodie.datasource.write.table.type": "MERGE_ON_READ",
                 "hoodie.datasource.write.recordkey.field": "id",
                 "hoodie.datasource.write.partitionpath.field": "p",
                 "hoodie.datasource.write.precombine.field": "ts",
                 "hoodie.write.table.version": "8",
                 "hoodie.write.auto.upgrade": "false"},
     "steps": [%s]}
    """
        .formatted(steps);
  }

  @Test
  void hudiReadsWhatServicesLeaveAndEachExecutesTheOthersPlan() throws Exception {
    Path path = folder.resolve("t");
    Storage storage = Storages.of(path.toUri().toString());
    MorTable table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
    Cleaner cleaner = new Cleaner(storage, CleanRetention.ofCommits(2), table.wall());
    TimelineArchiver archiver =
        new TimelineArchiver(storage, new ArchiveLimits(4, 6), table.wall());
    for (int i = 0; i < 10; i++) {
      table.commit(
          upsert("p1", "k" + i % 4, "v" + i, i),
          upsert("p2", "k" + i % 3 + 10, "w" + i, i),
          MorTable.delete("p1", "k" + (i + 1) % 4, i));
      if (i > 0 && i % 2 == 0) {
        plan(table);
        execute(storage, table);
        cleaner.clean(table.clock());
        archiver.archive();
      }
    }
    table.commit(upsert("p1", "k1", "before the plan", 100));
    plan(table);
    table.commit(upsert("p1", "k2", "after the plan", 101));

    HudiOracle hudi = new HudiOracle("1.0.2", folder.resolve("oracle"));
    HudiOracle.Result pending = hudi.read(path);
    HudiOracle.Result valid = hudi.validate(path);
    hudi.write(path, steps("{\"do\": \"run_compaction\"}"));
    HudiOracle.Result executed = hudi.read(path);
    hudi.write(
        path,
        steps(
            "{\"do\": \"upsert\", \"rows\": [[\"k1\", \"by Spark\", 200, \"p1\"]]},"
                + " {\"do\": \"schedule_compaction\"}"));
    HudiOracle.Result scheduled = hudi.read(path);
    hudi.run();

    List<String> ours = table.expectedRows();
    assertThat(rows(pending)).isEqualTo(ours);
    JsonNode found = valid.object();
    assertThat(found.get("failures")).as("%s", found).isEmpty();
    assertThat(rows(executed)).isEqualTo(ours);
    assertThat(table.open().timeline().pendingCompactions()).hasSize(1);
    List<String> withSparks = rows(scheduled);
    assertThat(withSparks).contains("p1/k1=by Spark@200").hasSameSizeAs(ours);
    assertThat(table.rows()).isEqualTo(withSparks);

    execute(storage, table);
    assertThat(table.open().timeline().pendingCompactions()).isEmpty();
    assertThat(table.rows()).isEqualTo(withSparks);
    HudiOracle.Result after = hudi.read(path);
    HudiOracle.Result afterValid = hudi.validate(path);
    hudi.run();
    assertThat(rows(after)).isEqualTo(withSparks);
    assertThat(afterValid.object().get("failures")).isEmpty();
  }

  private static void planClustering(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    assertThat(
            new ClusteringScheduler(
                    ClusteringTrigger.ALWAYS,
                    ClusteringStrategy.DEFAULT.sortedBy(Layout.HILBERT, List.of("name", "ts")),
                    table.wall())
                .schedule(table.open(), table.clock().next()))
        .isInstanceOf(ClusteringScheduler.Result.Planned.class);
  }

  private static void executeClustering(Storage storage, MorTable table) throws IOException {
    assertThat(
            new TableClustering(
                    storage,
                    BaseFileSettings.DEFAULT,
                    MergeMemory.DEFAULT,
                    new TakeOver("test", Duration.ofMinutes(20), "", table.wall()))
                .executePending())
        .isNotEmpty()
        .allMatch(TableClustering.Result.Completed.class::isInstance);
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
    table.lookUpKeys();
  }

  @Test
  void hudiReadsOurClusteringAndEachExecutesTheOthersPlan() throws Exception {
    Path path = folder.resolve("c");
    Storage storage = Storages.of(path.toUri().toString());
    MorTable table = MorTable.create(storage, 3, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 4; i++) {
      table.commit(
          upsert("p1", "k" + i, "v" + i, i),
          upsert("p1", "k" + (i + 10), "w" + i, i),
          upsert("p2", "k" + i, "x" + i, i),
          MorTable.delete("p1", "k" + (i + 9), i));
    }
    planClustering(table);
    executeClustering(storage, table);
    table.commit(upsert("p1", "k1", "after", 100), upsert("p1", "new", "n", 100));
    table.commit(upsert("p2", "new1", "n", 100), upsert("p2", "new2", "n", 100));
    List<String> ours = table.expectedRows();

    HudiOracle hudi = new HudiOracle("1.0.2", folder.resolve("oracle"));
    HudiOracle.Result clustered = hudi.read(path);
    HudiOracle.Result valid = hudi.validate(path);
    hudi.run();
    assertThat(rows(clustered)).isEqualTo(ours);
    assertThat(valid.object().get("failures")).as("%s", valid.object()).isEmpty();

    planClustering(table);
    HudiOracle.Result pending = hudi.read(path);
    hudi.write(path, steps("{\"do\": \"run_clustering\"}"));
    HudiOracle.Result executed = hudi.read(path);
    hudi.write(
        path,
        steps(
            "{\"do\": \"insert\", \"rows\": [[\"s1\", \"by Spark\", 200, \"p3\"]],"
                + " \"options\": {\"hoodie.parquet.small.file.limit\": \"0\"}},"
                + " {\"do\": \"insert\", \"rows\": [[\"s2\", \"by Spark\", 200, \"p3\"]],"
                + " \"options\": {\"hoodie.parquet.small.file.limit\": \"0\"}},"
                + " {\"do\": \"schedule_clustering\"}"));
    HudiOracle.Result scheduled = hudi.read(path);
    hudi.run();
    assertThat(rows(pending)).isEqualTo(ours);
    assertThat(rows(executed)).isEqualTo(ours);
    assertThat(table.open().timeline().pendingClusterings()).hasSize(1);
    List<String> withSparks = rows(scheduled);
    assertThat(withSparks).contains("p3/s1=by Spark@200").hasSize(ours.size() + 2);
    assertThat(table.rows()).isEqualTo(withSparks);

    executeClustering(storage, table);
    assertThat(table.rows()).isEqualTo(withSparks);
    assertThat(table.open().view().latestSlices("p3")).hasSize(1);
    HudiOracle.Result after = hudi.read(path);
    HudiOracle.Result afterValid = hudi.validate(path);
    hudi.run();
    assertThat(rows(after)).isEqualTo(withSparks);
    assertThat(afterValid.object().get("failures")).isEmpty();
  }
}
