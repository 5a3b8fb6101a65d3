package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamStatementSet;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.runtime.typeutils.ExternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/** SQL as a user types it, on a Flink inside this JVM. */
final class SqlSession {
  private static final long LIMIT_SECONDS = 90;

  private final Configuration configuration = new Configuration();
  private final List<String> ddl = new ArrayList<>();
  private Callable<?> beforeQuery = () -> null;

  private SqlSession() {
    set("execution.checkpointing.interval", "200 ms");
    set("restart-strategy.type", "none");
    set("parallelism.default", "1");
    set("table.exec.resource.default-parallelism", "1");
  }

  static SqlSession open() {
    return new SqlSession();
  }

  static MiniClusterExtension cluster() {
    return new MiniClusterExtension(
        new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(8)
            .build());
  }

  SqlSession withoutCheckpoints() {
    configuration.removeKey("execution.checkpointing.interval");
    return this;
  }

  SqlSession set(String key, String value) {
    configuration.setString(key, value);
    return this;
  }

  /** Declares a table for all statements that follow. */
  SqlSession create(String createTable) {
    ddl.add(createTable);
    return this;
  }

  /** Does something to the tables before each query in batch mode. */
  SqlSession beforeQuery(Callable<?> action) {
    beforeQuery = action;
    return this;
  }

  StreamTableEnvironment streaming() {
    return on(StreamExecutionEnvironment.getExecutionEnvironment(configuration));
  }

  private StreamTableEnvironment on(StreamExecutionEnvironment env) {
    StreamTableEnvironment tables = StreamTableEnvironment.create(env);
    configuration.toMap().forEach((key, value) -> tables.getConfig().set(key, value));
    ddl.forEach(tables::executeSql);
    return tables;
  }

  TableEnvironment batch() {
    TableEnvironment tables =
        TableEnvironment.create(
            EnvironmentSettings.newInstance()
                .inBatchMode()
                .withConfiguration(configuration)
                .build());
    ddl.forEach(tables::executeSql);
    return tables;
  }

  /** Runs an INSERT as a streaming job to its end. */
  SqlSession insert(String statement) throws Exception {
    streaming().executeSql(statement).await(LIMIT_SECONDS, TimeUnit.SECONDS);
    return this;
  }

  /** Runs an INSERT as a batch job to its end. */
  SqlSession insertInBatch(String statement) throws Exception {
    batch().executeSql(statement).await(LIMIT_SECONDS, TimeUnit.SECONDS);
    return this;
  }

  /** Runs INSERTs as one streaming job to its end. */
  SqlSession insertAll(List<String> statements) throws Exception {
    StreamStatementSet set = streaming().createStatementSet();
    statements.forEach(set::addInsertSql);
    set.execute().await(LIMIT_SECONDS, TimeUnit.SECONDS);
    return this;
  }

  /**
   * Writes changes, in one streaming job.
   *
   * @param rowType of the changes
   * @param key the column by which they are changes of one row
   */
  SqlSession change(String table, DataType rowType, String key, Row... changes) throws Exception {
    return change(List.of(new TableChanges(table, rowType, key, Arrays.asList(changes))));
  }

  /** The same for several tables. */
  SqlSession change(List<TableChanges> changes) throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration);
    StreamTableEnvironment tables = on(env);
    StreamStatementSet set = tables.createStatementSet();
    for (TableChanges ofTable : changes) {
      set.addInsert(
          ofTable.table,
          tables.fromChangelogStream(
              env.fromData(ofTable.rows, ExternalTypeInfo.of(ofTable.rowType)),
              Schema.newBuilder().primaryKey(ofTable.key).build(),
              ChangelogMode.all()));
    }
    set.execute().await(LIMIT_SECONDS, TimeUnit.SECONDS);
    return this;
  }

  record TableChanges(String table, DataType rowType, String key, List<Row> rows) {}

  /** The result of a query in batch mode, one text a row, sorted. */
  List<String> query(String query) throws Exception {
    beforeQuery.call();
    return read(batch().executeSql(query));
  }

  /** The result of a query that has an end, by a streaming job. */
  List<String> queryAsAStream(String query) throws Exception {
    return read(streaming().executeSql(query));
  }

  private static List<String> read(TableResult result) throws Exception {
    List<String> rows = new ArrayList<>();
    try (CloseableIterator<Row> iterator = result.collect()) {
      iterator.forEachRemaining(row -> rows.add(text(row)));
    }
    rows.sort(null);
    return rows;
  }

  /** Begins a query that has no end. */
  Following follow(String query) {
    return new Following(streaming().executeSql(query));
  }

  /** The fields of a row, separated by commas; nested values within brackets. */
  static String text(Row row) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < row.getArity(); i++) {
      fields.add(valueText(row.getField(i)));
    }
    return String.join(",", fields);
  }

  static String valueText(Object value) {
    if (value instanceof Object[] array) {
      return Arrays.stream(array).map(SqlSession::valueText).toList().toString();
    }
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream()
          .map(entry -> entry.getKey() + "=" + valueText(entry.getValue()))
          .sorted()
          .collect(Collectors.joining(",", "{", "}"));
    }
    return value instanceof Row row ? "(" + text(row) + ")" : String.valueOf(value);
  }

  /** The changing result of a query that has no end. */
  static final class Following implements AutoCloseable {
    private final TableResult result;
    private final CloseableIterator<Row> iterator;
    private final BlockingQueue<Row> arrived = new LinkedBlockingQueue<>();
    private final Thread reader;
    private final List<String> rows = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();

    private Following(TableResult result) {
      this.result = result;
      this.iterator = result.collect();
      this.reader =
          new Thread(
              () -> {
                try {
                  iterator.forEachRemaining(arrived::add);
                } catch (RuntimeException e) {
                  // The job was cancelled; a job that failed shows in the rows that are missing.
                }
              },
              "following");
      reader.setDaemon(true);
      reader.start();
    }

    /** Waits until the result is this, in any order. */
    void awaitRows(String... expected) throws InterruptedException {
      List<String> wanted = Arrays.stream(expected).sorted().toList();
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (!rows.stream().sorted().toList().equals(wanted)) {
        Row row = arrived.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        if (row == null) {
          fail("Expected %s, but after %s s the result is %s", wanted, LIMIT_SECONDS, rows);
          return;
        }
        take(row);
      }
    }

    /** All changes so far, with their kinds, in the order of their arrival. */
    List<String> changes() {
      return List.copyOf(changes);
    }

    private void take(Row row) {
      changes.add(row.getKind().shortString() + text(row));
      if (row.getKind() == RowKind.INSERT || row.getKind() == RowKind.UPDATE_AFTER) {
        rows.add(text(row));
      } else {
        assertThat(rows.remove(text(row))).as("%s takes back a row that is there", row).isTrue();
      }
    }

    @Override
    public void close() throws Exception {
      result.getJobClient().orElseThrow().cancel().get(LIMIT_SECONDS, TimeUnit.SECONDS);
      iterator.close();
      reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS));
    }
  }
}
