package io.hudilite.e2e.jar;

import java.util.Arrays;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Writes a table twice and reads it, with nothing but what SQL names; prints the rows. */
public final class JarProbe {
  private JarProbe() {}

  public static void main(String[] arguments) throws Exception {
    String ddl =
        """
        CREATE TABLE t (id STRING, n BIGINT, dt DATE, PRIMARY KEY (id) NOT ENFORCED)
        PARTITIONED BY (dt) WITH (
          'connector' = 'hudi-lite', 'path' = '%s', 'table.type' = 'MERGE_ON_READ',
          'ordering.fields' = 'n')
        """
            .formatted(arguments[0]);
    for (String rows :
        Arrays.asList(
            "('a', 1, DATE '2024-04-18'), ('b', 2, DATE '2024-04-19')",
            "('a', 3, DATE '2024-04-18')")) {
      TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
      tables.getConfig().set("execution.checkpointing.interval", "1 s");
      tables.executeSql(ddl);
      tables.executeSql("INSERT INTO t VALUES " + rows).await();
    }
    TableEnvironment tables = TableEnvironment.create(EnvironmentSettings.inBatchMode());
    tables.executeSql(ddl);
    try (CloseableIterator<Row> read = tables.executeSql("SELECT * FROM t").collect()) {
      while (read.hasNext()) {
        Row row = read.next();
        System.out.println(
            "READ " + row.getField(0) + "," + row.getField(1) + "," + row.getField(2));
      }
    }
  }
}
