package io.hudilite.e2e.demo;

/** The SQL of the demo, as a user would type it. */
final class DemoSql {
  static final String TOPIC = "orders";

  private static final String COLUMNS =
      """
        order_id BIGINT,
        user_id  STRING,
        amount   DECIMAL(10, 2),
        status   STRING,
        ts       TIMESTAMP(3),
        dt       STRING,
        PRIMARY KEY (order_id) NOT ENFORCED
      """;

  static final String INSERT = "INSERT INTO orders SELECT * FROM kafka_orders";

  static final String FOLLOW =
      """
      SELECT status, COUNT(*) AS orders, SUM(amount) AS amount
      FROM orders /*+ OPTIONS('read.streaming.enabled' = 'true',
                              'read.start-commit' = 'earliest',
                              'read.streaming.check-interval' = '1') */
      GROUP BY status""";

  static final String SNAPSHOT = "SELECT order_id, user_id, amount, status, ts, dt FROM orders";

  private DemoSql() {}

  static String createKafkaOrders(String bootstrapServers) {
    return """
        CREATE TABLE kafka_orders (
        %s) WITH (
          'connector' = 'kafka',
          'topic' = '%s',
          'properties.bootstrap.servers' = '%s',
          'properties.group.id' = 'hudi-lite-demo',
          'scan.startup.mode' = 'earliest-offset',
          'format' = 'debezium-json'
        )"""
        .formatted(COLUMNS, TOPIC, bootstrapServers);
  }

  static String createOrders(String path) {
    return """
        CREATE TABLE orders (
        %s) PARTITIONED BY (dt) WITH (
          'connector' = 'hudi-lite',
          'path' = '%s',
          'table.type' = 'MERGE_ON_READ',
          'ordering.fields' = 'ts'
        )"""
        .formatted(COLUMNS, path.replace("'", "''"));
  }
}
