package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.core.testkit.Compactions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.Row;

/**
 * Each table three times: merge-on-read, copy-on-write, and merge-on-read compacted before each
 * query. Statements name a table after INTO or FROM; one job runs them for all three, and what a
 * query gives must be the same of all.
 */
final class TableKinds {
  private static final List<String> KINDS = List.of("mor", "cow", "compacted");
  private static final Pattern TABLE = Pattern.compile("\\b(INTO|FROM) (\\w+)");

  private final SqlSession sql;
  private final Path folder;
  private final List<String> compacted = new ArrayList<>();

  TableKinds(SqlSession sql, Path folder) {
    this.sql = sql;
    this.folder = folder;
    sql.beforeQuery(this::compact);
  }

  private Void compact() throws Exception {
    for (String table : compacted) {
      Compactions.compact(Storages.of(folder.resolve(table).toString()));
    }
    return null;
  }

  SqlSession sql() {
    return sql;
  }

  /** The folder of each kind of a table. */
  List<Path> folders(String table) {
    return KINDS.stream().map(kind -> folder.resolve(table + "_" + kind)).toList();
  }

  /** Declares a table; options begin with a comma. */
  TableKinds create(String table, String columns, String partitionedBy, String options) {
    for (String kind : KINDS) {
      String name = table + "_" + kind;
      sql.create(
          ("CREATE TABLE %s (%s) %s WITH ('connector' = 'hudi-lite', 'path' = '%s',"
                  + " 'table.type' = '%s'%s)")
              .formatted(
                  name,
                  columns,
                  partitionedBy,
                  folder.resolve(name).toUri(),
                  kind.equals("cow") ? "COPY_ON_WRITE" : "MERGE_ON_READ",
                  options));
    }
    compacted.add(table + "_compacted");
    return this;
  }

  /** Runs INSERT statements, in one streaming job. */
  void insert(String... statements) throws Exception {
    List<String> all = new ArrayList<>();
    for (String statement : statements) {
      KINDS.forEach(kind -> all.add(of(kind, statement)));
    }
    sql.insertAll(all);
  }

  /** Changes as of {@link SqlSession#change}, in one streaming job. */
  void change(Changes... changes) throws Exception {
    List<SqlSession.TableChanges> all = new ArrayList<>();
    for (Changes ofTable : changes) {
      for (String kind : KINDS) {
        all.add(
            new SqlSession.TableChanges(
                ofTable.table + "_" + kind, ofTable.rowType, ofTable.key, ofTable.rows));
      }
    }
    sql.change(all);
  }

  record Changes(String table, DataType rowType, String key, List<Row> rows) {}

  List<String> query(String query) throws Exception {
    return queries(query).get(0);
  }

  /** The results of queries with columns of the same types, by one batch job. */
  List<List<String>> queries(String... queries) throws Exception {
    List<String> parts = new ArrayList<>();
    for (String query : queries) {
      for (String kind : KINDS) {
        parts.add("SELECT %d, * FROM (%s)".formatted(1000 + parts.size(), of(kind, query)));
      }
    }
    List<List<String>> results =
        new ArrayList<>(
            IntStream.range(0, parts.size()).mapToObj(i -> new ArrayList<String>()).toList());
    for (String row : sql.query(String.join(" UNION ALL ", parts))) {
      results.get(Integer.parseInt(row.substring(0, 4)) - 1000).add(row.substring(5));
    }
    List<List<String>> alike = new ArrayList<>();
    for (int i = 0; i < results.size(); i++) {
      String name = KINDS.get(i % KINDS.size()) + ": " + queries[i / KINDS.size()];
      assertThat(results.get(i)).as(name).isEqualTo(results.get(i - i % KINDS.size()));
      if (i % KINDS.size() == 0) {
        alike.add(results.get(i));
      }
    }
    return alike;
  }

  private static String of(String kind, String statement) {
    return TABLE.matcher(statement).replaceAll("$1 $2_" + kind);
  }
}
