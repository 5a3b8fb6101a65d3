package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The procedures of a catalog, by CALL; each is called with good arguments and with bad ones. */
class ProceduresTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SqlSession.cluster();

  @TempDir Path folder;
  private SqlSession sql;
  private TableEnvironment tables;

  @BeforeEach
  void open() {
    sql =
        SqlSession.open()
            .create(
                "CREATE CATALOG lake WITH ('type' = 'hudi-lite', 'catalog.path' = '%s')"
                    .formatted(folder.toUri()))
            .create("USE CATALOG lake");
    tables = sql.batch();
    tables.executeSql(
        "CREATE TABLE t (id STRING, v INT, ts BIGINT, PRIMARY KEY (id) NOT ENFORCED) WITH ("
            + "'table.type' = 'MERGE_ON_READ', 'ordering.fields' = 'ts',"
            + " 'compaction.schedule.enabled' = 'false', 'compaction.async.enabled' = 'false',"
            + " 'clean.async.enabled' = 'false', 'clean.retain_commits' = '1')");
  }

  private void write(int... rounds) throws Exception {
    for (int round : rounds) {
      sql.insert("INSERT INTO t VALUES ('a', %d, %d), ('b', %d, %d)".replace("%d", "" + round));
    }
  }

  private Storage storage() {
    return Storages.of(folder.resolve("default/t").toString());
  }

  private List<Row> call(String statement) throws Exception {
    TableResult result = tables.executeSql("CALL sys." + statement);
    List<Row> rows = new ArrayList<>();
    try (CloseableIterator<Row> iterator = result.collect()) {
      List<String> names = result.getResolvedSchema().getColumnNames();
      iterator.forEachRemaining(
          row -> {
            Row named = Row.withNames();
            for (int i = 0; i < names.size(); i++) {
              named.setField(names.get(i), row.getField(i));
            }
            rows.add(named);
          });
    }
    return rows;
  }

  private Object field(String statement, String column) throws Exception {
    return call(statement).get(0).getField(column);
  }

  private void refused(String statement, String... parts) {
    assertThatThrownBy(() -> call(statement))
        .satisfies(
            e -> {
              for (String part : parts) {
                assertThat(e).hasStackTraceContaining(part);
              }
            });
  }

  private void requirements64And71HealthTellsAgesAndWhatReadersNeed() throws Exception {
    write(7);
    // The reader's position is not the newest commit any more, so it looks back at one at least.
    Map<String, String> health = new HashMap<>();
    for (Row row : call("show_health('default.t')")) {
      health.put((String) row.getField("name"), (String) row.getField("value"));
    }
    assertThat(health).containsEntry("commits retained", "1"); // as the table's option says
    assertThat(Long.parseLong(health.get("seconds since the oldest uncompacted delta commit")))
        .isNotNegative();
    int needed = Integer.parseInt(health.get("commits that readers need"));
    assertThat(Integer.parseInt(health.get("commits to retain"))).isGreaterThan(needed);
    assertThat(health.get("warning").isEmpty()).isEqualTo(needed == 1);
    Map<String, String> generous = new HashMap<>();
    for (Row row : call("show_health(table_name => 'default.t', retain_commits => 1000000)")) {
      generous.put((String) row.getField("name"), (String) row.getField("value"));
    }
    assertThat(generous).containsEntry("warning", "");
  }

  @Test
  void compactionIsPlannedCarriedOutAndShown() throws Exception {
    assertThat(field("compact('default.t')", "detail").toString()).contains("no plan");
    write(1, 2, 3);
    Row planned = call("schedule_compaction('default.t')").get(0);
    assertThat(planned.getField("state")).isEqualTo("planned");
    assertThat(planned.getField("log_files")).isEqualTo(2L);
    assertThat(
            call("schedule_compaction(table_name => 'default.t', delta_commits => 5)")
                .get(0)
                .getField("detail")
                .toString())
        .contains("0 of 5 delta commits");
    Row pending = call("show_compactions('default.t')").get(0);
    assertThat(pending.getField("state")).isEqualTo("requested");
    assertThat(pending.getField("instant")).isEqualTo(planned.getField("instant"));
    assertThat(call("show_file_slices('default.t')"))
        .extracting(row -> row.getField("planned_compaction"))
        .containsExactly(planned.getField("instant"));

    Row done = call("compact(table_name => 'default.t', schedule => false, tasks => 1)").get(0);
    assertThat(done.getField("state")).isEqualTo("completed");
    assertThat(done.getField("instant")).isEqualTo(planned.getField("instant"));
    assertThat(done.getField("rows_written")).isEqualTo(2L);
    assertThat(call("show_compactions('default.t')").get(0).getField("state"))
        .isEqualTo("completed");
    Row slice = call("show_file_slices(table_name => 'default.t', max_rows => 5)").get(0);
    assertThat(slice.getField("log_files")).isEqualTo(0);
    assertThat((Long) slice.getField("base_bytes")).isPositive();
    assertThat(call("show_file_slices(table_name => 'default.t', all_versions => true)"))
        .hasSize(2);
    assertThat(field("compact('default.t')", "state")).isEqualTo("nothing");
    assertThat(field("compact(table_name => 'default.t', schedule => false)", "detail").toString())
        .contains("none was to be planned");
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("a,3", "b,3");
    refused(
        "compact(table_name => 'default.t', trigger_strategy => 'often')", "num_commits", "often");
    refused("compact(table_name => 'default.t', strategy => 'Best')", "'Best'", "LogFileSizeBased");
    refused("compact(table_name => 'default.t', tasks => -1)", "-1");

    assertThat(field("clean('default.t')", "detail").toString()).contains("nothing is older");
    assertThat(
            field(
                "clean(table_name => 'default.t', policy => 'KEEP_LATEST_FILE_VERSIONS',"
                    + " retain_file_versions => 1)",
                "deleted_files"))
        .isEqualTo(3);
    Row nothing = call("clean(table_name => 'default.t', retain_commits => 100)").get(0);
    assertThat(nothing.getField("state")).isEqualTo("nothing");
    assertThat(nothing.getField("detail").toString()).isNotEmpty();
    refused(
        "clean(table_name => 'default.t', policy => 'ALL')", "'ALL'", "KEEP_LATEST_FILE_VERSIONS");
    refused("clean(table_name => 'default.t', retain_commits => 0)", "1 or more");
    assertThat(
            field(
                "archive(table_name => 'default.t', min_commits => 2, max_commits => 3)", "state"))
        .isEqualTo("archived");
    assertThat(field("archive('default.t')", "detail").toString()).contains("commits are on");
    refused(
        "archive(table_name => 'default.t', min_commits => 5, max_commits => 3)",
        "archive.max_commits");
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("a,3", "b,3");
  }

  @Test
  void instantsAreTakenBackAndStatesKept() throws Exception {
    write(1);
    Row savepoint =
        call("create_savepoint(table_name => 'default.t', note => 'before the change')").get(0);
    String kept = (String) savepoint.getField("instant");
    assertThat(savepoint.getField("files")).isEqualTo(1);
    assertThat(field("show_savepoints('default.t')", "note")).isEqualTo("before the change");
    write(2, 3);
    List<Row> timeline = call("show_timeline(table_name => 'default.t', action => 'deltacommit')");
    assertThat(timeline).hasSize(3);
    assertThat(timeline.get(0).getField("rows_written")).isEqualTo(2L);
    assertThat(timeline.get(0).getField("operation")).isEqualTo("UPSERT");
    assertThat(call("show_timeline(table_name => 'default.t', max_rows => 1)")).hasSize(1);
    String newest = (String) timeline.get(0).getField("instant");
    String middle = (String) timeline.get(1).getField("instant");
    refused("rollback_instant('default.t', '%s')".formatted(middle), "later writes build on it");
    refused("rollback_instant('default.t', 'yesterday')", "no instant time", "show_timeline");
    refused("rollback_instant('default.t', '20200101000000000')", "not on the active timeline");
    assertThat(field("rollback_instant('default.t', '%s')".formatted(newest), "removed"))
        .isEqualTo(newest);
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("a,2", "b,2");
    refused("`rollback`('default.t', '%s')".formatted(newest), "not on the active timeline");
    refused("restore_savepoint('default.t', '%s')".formatted(middle), middle);
    Row restored = call("restore_savepoint('default.t', '%s')".formatted(kept)).get(0);
    assertThat(restored.getField("removed")).isEqualTo(middle);
    assertThat(sql.query("SELECT id, v FROM t")).containsExactly("a,1", "b,1");
    assertThat(field("delete_savepoint('default.t', '%s')".formatted(kept), "state"))
        .isEqualTo("deleted");
    refused("delete_savepoint('default.t', '%s')".formatted(kept), "has no savepoint");
    assertThat(call("show_savepoints('default.t')")).isEmpty();
    refused("show_timeline(table_name => 'default.t', action => 'dance')", "deltacommit");
    refused("show_timeline(table_name => 'default.t', max_rows => 0)", "1 or more");
  }

  @Test
  void tableIsDescribedAndTendedTo() throws Exception {
    write(1);
    assertThat(call("describe_table('default.t')"))
        .extracting(row -> row.getField("name") + ": " + row.getField("value"))
        .anyMatch(row -> row.contains("record key: id"))
        .anyMatch(row -> row.contains("type: MERGE_ON_READ"));
    assertThat(call("describe_table('%s')".formatted(folder.resolve("default/t")))).isNotEmpty();
    assertThat(call("show_health('default.t')"))
        .extracting(row -> row.getField("name") + ": " + row.getField("value"))
        .anyMatch(row -> row.contains("file groups: 1"))
        .anyMatch(row -> row.contains("small base files: 1"));

    assertThat(call("show_leases('default.t')")).isEmpty();
    refused("expire_lease('default.t', 'writer')", "holds no lease");
    InstantTime position = HudiTable.open(storage()).timeline().lastCompletion().orElseThrow();
    new ReaderLeaseStore(storage(), InstantSource.system())
        .hold("reader-1", position, Duration.ofMinutes(5));
    assertThat(call("show_leases('default.t')"))
        .extracting(row -> row.getField("kind") + " " + row.getField("holder"))
        .containsExactly("reader reader-1");
    requirements64And71HealthTellsAgesAndWhatReadersNeed();
    assertThat(field("expire_lease('default.t', 'reader-1')", "state")).isEqualTo("expired");
    assertThat(call("show_leases('default.t')")).isEmpty();

    Path base;
    try (var files = Files.list(folder.resolve("default/t"))) {
      base = files.filter(f -> f.toString().endsWith(".parquet")).findFirst().orElseThrow();
    }
    InstantTime later = InstantTime.ofUtcMillis(System.currentTimeMillis() + 60_000);
    Path orphan =
        base.resolveSibling(
            base.getFileName().toString().replaceFirst("_\\d{17}\\.", "_" + later + "."));
    Files.copy(base, orphan);
    assertThat(call("remove_orphan_files('default.t')")).as("too young").isEmpty();
    assertThat(
            field("remove_orphan_files(table_name => 'default.t', older_than_hours => 0)", "state"))
        .isEqualTo("orphan");
    assertThat(orphan).exists();
    Row deleted = call("remove_orphan_files('default.t', 0, false)").get(0);
    assertThat(deleted.getField("state")).isEqualTo("deleted");
    assertThat(deleted.getField("path")).isEqualTo(orphan.getFileName().toString());
    assertThat(orphan).doesNotExist();
    assertThat(base).exists();
    refused("remove_orphan_files(table_name => 'default.t', older_than_hours => -1)", "0 or more");
  }

  @Test
  void smallFilesAreClustered() throws Exception {
    tables.executeSql(
        "CREATE TABLE files (id INT, v INT, PRIMARY KEY (id) NOT ENFORCED) WITH ("
            + "'table.type' = 'COPY_ON_WRITE', 'write.operation' = 'insert')");
    assertThat(field("cluster('default.files')", "detail").toString()).contains("no plan");
    sql.insert("INSERT INTO files VALUES (3, 1), (1, 1)");
    sql.insert("INSERT INTO files VALUES (2, 1), (4, 1)");
    assertThat(call("show_file_slices('default.files')")).hasSize(2);
    refused("cluster(table_name => 'default.files', sort_columns => 'nothing')", "nothing");
    assertThat(call("repair_duplicates('default.files')")).isEmpty();
    sql.insert("INSERT INTO files VALUES (3, 2)");
    Row twice = call("repair_duplicates('default.files')").get(0);
    assertThat(twice.getField("record_key")).isEqualTo("3");
    assertThat(twice.getField("file_groups")).isEqualTo(2);
    Row planned =
        call("schedule_clustering(table_name => 'default.files', sort_columns => 'id')").get(0);
    assertThat(planned.getField("state")).isEqualTo("planned");
    assertThat(planned.getField("file_groups")).isEqualTo(3L);
    assertThat(field("show_clusterings('default.files')", "state")).isEqualTo("requested");
    Row done = call("cluster('default.files')").get(0);
    assertThat(done.getField("state")).isEqualTo("completed");
    assertThat(done.getField("rows_written")).isEqualTo(5L);
    assertThat(call("show_file_slices('default.files')")).hasSize(1);
    assertThat(field("show_clusterings('default.files')", "state")).isEqualTo("completed");
    assertThat(sql.query("SELECT id FROM files")).containsExactly("1", "2", "3", "3", "4");
    assertThat(call("repair_duplicates('default.files', 10, false)").get(0).getField("state"))
        .isEqualTo("repaired");
    assertThat(call("repair_duplicates('default.files')")).isEmpty();
    assertThat(sql.query("SELECT id FROM files")).containsExactly("1", "2", "3", "4");
    refused("cluster(table_name => 'default.files', layout => 'pile')", "pile", "hilbert");
  }

  @Test
  void whatCannotBeCalledIsToldWithWhatCan() throws Exception {
    assertThat(tables.executeSql("SHOW PROCEDURES FROM sys").collect())
        .toIterable()
        .hasSizeGreaterThan(18);
    refused("compact('t')", "'t'", "database.table");
    refused(
        "compact('default.nothing')", "has no table default.nothing", "SHOW TABLES FROM default");
    refused("compact('/tmp/nothing')", "There is no table of Hudi at '/tmp/nothing'");
    refused("tidy('default.t')", "tidy");
  }
}
