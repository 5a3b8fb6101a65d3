package io.hudilite.e2e.oracle;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudilite.core.clean.CleanRetention;
import io.hudilite.core.clean.Cleaner;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.recovery.Savepoint;
import io.hudilite.core.recovery.SavepointStore;
import io.hudilite.core.recovery.TableRecovery;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Savepoints, restores and rollbacks of each side, with the other reading and going on. */
@Tag("oracle")
class RecoveryTest {
  @TempDir Path folder;

  private static Storage storage(Path table) throws IOException {
    return Storages.of(table.toUri().toString());
  }

  private static TableRecovery recovery(Path path, MorTable table) throws IOException {
    return new TableRecovery(storage(path), table.wall(), "test");
  }

  private static void observe(MorTable table) throws IOException {
    table.open().timeline().newestTime().ifPresent(table.clock()::observe);
  }

  private static MorTable twoCommits(Path path) throws IOException {
    MorTable table = MorTable.create(storage(path), 2, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 1; i <= 2; i++) {
      table.commit(
          upsert("p1", "k1", "v" + i, i),
          upsert("p1", "k" + (i + 1), "v", i),
          upsert("p2", "k5", "w" + i, i));
    }
    return table;
  }

  /** Later writes of every kind: updates, deletes, new groups, a compaction, a clean. */
  private static void writeOn(Path path, MorTable table) throws IOException {
    observe(table);
    table.commit(
        upsert("p1", "k1", "lost", 3), delete("p1", "k2", 3), upsert("p3", "k7", "lost", 3));
    Compactions.compact(storage(path), table.clock());
    observe(table);
    table.commit(
        upsert("p1", "k1", "lost", 4), delete("p2", "k5", 4), upsert("p4", "k8", "lost", 4));
    new Cleaner(storage(path), CleanRetention.ofCommits(1), table.wall()).clean(table.clock());
    observe(table);
  }

  private static List<String> writeAgain(MorTable table) throws IOException {
    observe(table);
    table.lookUpKeys();
    table.commit(
        upsert("p1", "k1", "again", 9), delete("p1", "k3", 9), upsert("p3", "k9", "again", 9));
    return List.of("p1/k1=again@9", "p1/k2=v@1", "p2/k5=w2@2", "p3/k9=again@9");
  }

  /** We savepoint, write on, restore, write on. */
  private static List<String> restored(Path path) throws IOException {
    MorTable table = twoCommits(path);
    Savepoint kept = new SavepointStore(storage(path), table.wall()).createNewest("me", "test");
    writeOn(path, table);
    recovery(path, table).restore(kept.instant());
    return writeAgain(table);
  }

  /** We take the newest commit back: a compaction, then the writes below it. */
  private static List<String> rolledBack(Path path) throws IOException {
    MorTable table = twoCommits(path);
    observe(table);
    InstantTime lost =
        table.commit(
            upsert("p1", "k1", "lost", 3), delete("p1", "k2", 3), upsert("p3", "k7", "lost", 3));
    Compactions.compact(storage(path), table.clock());
    TableRecovery recovery = recovery(path, table);
    recovery.rollBack(table.open().timeline().lastCompletedWrite().orElseThrow().requestedTime());
    assertThat(table.rows()).contains("p1/k1=lost@3");
    recovery.rollBack(lost);
    return writeAgain(table);
  }

  /** We savepoint and write on; Hudi is to restore. */
  private static InstantTime savepointed(Path path) throws IOException {
    MorTable table = twoCommits(path);
    Savepoint kept = new SavepointStore(storage(path), table.wall()).createNewest("me", "test");
    writeOn(path, table);
    return kept.instant();
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

  private static String upsertStep(String rows) {
    return "{\"do\": \"upsert\", \"rows\": [%s]}".formatted(rows);
  }

  private static List<String> rows(HudiOracle.Result read) throws IOException {
    List<String> rows = new ArrayList<>();
    for (JsonNode row : read.rows()) {
      rows.add(
          "%s/%s=%s@%s"
              .formatted(
                  row.get("p").asText(),
                  row.get("id").asText(),
                  row.get("name").asText(),
                  row.get("ts").asText()));
    }
    rows.sort(null);
    return rows;
  }

  private static List<String> ours(Path path) throws IOException {
    HudiTable table = HudiTable.open(storage(path));
    return MorTable.rows(table, new ScanPlanner().snapshot(table));
  }

  private static void assertValid(HudiOracle.Result validation) throws IOException {
    assertThat(validation.object().get("failures")).as("%s", validation.object()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.0.2", "1.2.0"})
  void eachGoesOnWithWhatTheOtherTookBack(String version) throws Exception {
    HudiOracle hudi = new HudiOracle(version, folder.resolve("oracle"));
    Path restored = folder.resolve("restored");
    Path rolledBack = folder.resolve("rolled-back");
    Path savepointed = folder.resolve("savepointed");
    Path spark = folder.resolve("spark");
    List<String> expected = restored(restored);
    assertThat(rolledBack(rolledBack)).isEqualTo(expected);
    assertThat(ours(restored)).isEqualTo(expected);
    assertThat(ours(rolledBack)).isEqualTo(expected);
    InstantTime kept = savepointed(savepointed);

    List<HudiOracle.Result> reads = new ArrayList<>();
    List<HudiOracle.Result> incremental = new ArrayList<>();
    List<HudiOracle.Result> validations = new ArrayList<>();
    List<HudiOracle.Result> after = new ArrayList<>();
    for (Path path : List.of(restored, rolledBack)) {
      reads.add(hudi.read(path));
      incremental.add(hudi.read(path, "--query", "incremental"));
      validations.add(hudi.validate(path));
      hudi.write(
          path,
          steps(
              upsertStep("[\"k2\", \"by Spark\", 20, \"p1\"], [\"k6\", \"by Spark\", 20, \"p4\"]")
                  + ", {\"do\": \"compact\"}, {\"do\": \"clean\"}"));
      after.add(hudi.read(path));
      validations.add(hudi.validate(path));
    }
    String restoreTo =
        "{\"do\": \"sql\", \"sql\": \"CALL rollback_to_savepoint(table => '${table}', instant_time"
            + " => '%s')\"}";
    hudi.write(savepointed, steps(restoreTo.formatted(kept)));
    HudiOracle.Result restoredBySpark = hudi.read(savepointed);
    validations.add(hudi.validate(savepointed));
    hudi.write(
        spark,
        steps(
            String.join(
                ", ",
                upsertStep("[\"k1\", \"a\", 1, \"p1\"], [\"k2\", \"a\", 1, \"p2\"]"),
                "{\"do\": \"savepoint\", \"as\": \"one\"}",
                upsertStep("[\"k1\", \"lost\", 2, \"p1\"], [\"k3\", \"lost\", 2, \"p3\"]"),
                restoreTo.formatted("${one}"),
                upsertStep("[\"k1\", \"b\", 3, \"p1\"]"),
                "{\"do\": \"savepoint\", \"as\": \"two\"}",
                upsertStep("[\"k1\", \"lost\", 4, \"p1\"], [\"k4\", \"lost\", 4, \"p4\"]"))));
    HudiOracle.Result bySpark = hudi.read(spark);
    hudi.run();

    for (int i = 0; i < reads.size(); i++) {
      assertThat(rows(reads.get(i))).isEqualTo(expected);
      assertThat(rows(incremental.get(i))).isEqualTo(expected);
      assertThat(rows(after.get(i)))
          .containsExactly(
              "p1/k1=again@9",
              "p1/k2=by Spark@20",
              "p2/k5=w2@2",
              "p3/k9=again@9",
              "p4/k6=by Spark@20");
    }
    for (HudiOracle.Result validation : validations) {
      assertValid(validation);
    }
    assertThat(ours(restored)).isEqualTo(rows(after.get(0)));
    assertThat(ours(rolledBack)).isEqualTo(rows(after.get(1)));
    assertThat(rows(restoredBySpark))
        .containsExactly("p1/k1=v2@2", "p1/k2=v@1", "p1/k3=v@2", "p2/k5=w2@2");
    assertThat(ours(savepointed)).isEqualTo(rows(restoredBySpark));
    assertThat(rows(bySpark)).containsExactly("p1/k1=lost@4", "p2/k2=a@1", "p4/k4=lost@4");
    assertThat(ours(spark)).isEqualTo(rows(bySpark));

    if (!version.equals("1.0.2")) {
      return; // its procedures have upgraded the table, so that we only read it
    }
    List<Savepoint> theirs =
        new SavepointStore(storage(spark), java.time.InstantSource.system()).list();
    assertThat(theirs).hasSize(2);
    new TableRecovery(storage(spark), java.time.InstantSource.system(), "test")
        .restore(theirs.get(1).instant());
    assertThat(ours(spark)).containsExactly("p1/k1=b@3", "p2/k2=a@1");
    HudiOracle.Result restoredByUs = hudi.read(spark);
    HudiOracle.Result valid = hudi.validate(spark);
    hudi.write(spark, steps(upsertStep("[\"k1\", \"c\", 4, \"p1\"], [\"k4\", \"c\", 4, \"p4\"]")));
    HudiOracle.Result onIt = hudi.read(spark);
    hudi.run();
    assertThat(rows(restoredByUs)).containsExactly("p1/k1=b@3", "p2/k2=a@1");
    assertValid(valid);
    assertThat(rows(onIt)).containsExactly("p1/k1=c@4", "p2/k2=a@1", "p4/k4=c@4");
    assertThat(ours(spark)).isEqualTo(rows(onIt));
  }
}
