package io.hudilite.e2e.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Flink jobs on one table, each of which is one commit. Runs on the cluster of the test. */
final class TableJobs {
  private final String createTable;
  private final String name;

  /**
   * @param createTable the DDL, with {@code %s} for the table's path
   */
  TableJobs(String name, String createTable) {
    this.name = name;
    this.createTable = createTable;
  }

  /** A batch job: {@code INSERT INTO name query}. */
  void insert(Path table, String query) throws Exception {
    execute(table, "INSERT INTO " + name + " " + query);
  }

  /** A batch job of any statement. */
  void execute(Path table, String statement) throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("restart-strategy.type", "none");
    TableEnvironment tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(configuration)
                .build());
    tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
    tables.executeSql(createTable.formatted(table));
    tables.executeSql(statement).await(2, TimeUnit.MINUTES);
  }

  /**
   * A streaming job over some changes, whose columns are those of the table. Declared as a full
   * changelog, since Flink would leave out the deletes of an upsert stream whose keys it has not
   * seen.
   */
  void apply(Path table, TypeInformation<Row> type, Schema schema, Row... changes)
      throws Exception {
    StreamExecutionEnvironment environment = environment(RuntimeExecutionMode.STREAMING);
    StreamTableEnvironment tables = tables(environment, table);
    tables.createTemporaryView(
        "changes",
        tables.fromChangelogStream(
            environment.fromData(type, changes), schema, ChangelogMode.all()));
    tables.executeSql("INSERT INTO " + name + " SELECT * FROM changes").await(2, TimeUnit.MINUTES);
  }

  /** A batch read, each row as Flink prints it, sorted. */
  List<String> read(Path table, String columns) throws Exception {
    return select(table, "SELECT " + columns + " FROM " + name);
  }

  /** The same of any query. */
  List<String> select(Path table, String query) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> found =
        tables(RuntimeExecutionMode.BATCH, table).executeSql(query).collect()) {
      found.forEachRemaining(row -> rows.add(row.toString()));
    }
    rows.sort(null);
    return rows;
  }

  private StreamTableEnvironment tables(RuntimeExecutionMode mode, Path table) {
    return tables(environment(mode), table);
  }

  private static StreamExecutionEnvironment environment(RuntimeExecutionMode mode) {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, mode);
    configuration.setString("execution.checkpointing.interval", "500 ms");
    configuration.setString("restart-strategy.type", "none");
    return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
  }

  private StreamTableEnvironment tables(StreamExecutionEnvironment environment, Path table) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(environment);
    tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
    tables.executeSql(createTable.formatted(table));
    return tables;
  }

  static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> tree = Files.walk(from)) {
      tree.forEach(
          path -> {
            try {
              Files.copy(path, to.resolve(from.relativize(path)));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
    return to;
  }
}
