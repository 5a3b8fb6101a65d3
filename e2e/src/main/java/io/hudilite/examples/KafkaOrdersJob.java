package io.hudilite.examples;

import io.hudilite.core.config.TableType;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.HudiSink;
import io.hudilite.source.HudiSource;
import java.time.Duration;
import java.util.List;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The DataStream API at work, on the orders of the demo.
 *
 * <pre>
 * KafkaOrdersJob write  BOOTSTRAP-SERVERS TOPIC TABLE-PATH   Debezium changes from Kafka into a table
 * KafkaOrdersJob follow TABLE-PATH                           the table as it is, then its changes
 * </pre>
 */
public final class KafkaOrdersJob {
  static final RowType ROW_TYPE =
      RowType.of(
          new LogicalType[] {
            new BigIntType(false),
            VarCharType.STRING_TYPE,
            new DecimalType(10, 2),
            VarCharType.STRING_TYPE,
            new TimestampType(3),
            VarCharType.STRING_TYPE
          },
          new String[] {"order_id", "user_id", "amount", "status", "ts", "dt"});

  private KafkaOrdersJob() {}

  public static void main(String[] args) throws Exception {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    // Each checkpoint that had rows is one commit.
    environment.enableCheckpointing(Duration.ofSeconds(10).toMillis());
    if (args.length == 4 && args[0].equals("write")) {
      write(environment, args[1], args[2], args[3]);
    } else if (args.length == 2 && args[0].equals("follow")) {
      follow(environment, args[1]).print();
    } else {
      System.err.println(
          "usage: KafkaOrdersJob write BOOTSTRAP-SERVERS TOPIC TABLE-PATH | follow TABLE-PATH");
      System.exit(2);
    }
    environment.execute("orders " + args[0]);
  }

  /** Adds the way from a topic into a table, which is made when it is not there. */
  static void write(
      StreamExecutionEnvironment environment,
      String bootstrapServers,
      String topic,
      String tablePath) {
    KafkaSource<RowData> kafka =
        KafkaSource.<RowData>builder()
            .setBootstrapServers(bootstrapServers)
            .setTopics(topic)
            .setGroupId("hudi-lite-example")
            .setStartingOffsets(OffsetsInitializer.earliest())
            .setValueOnlyDeserializer(new DebeziumOrders())
            .build();
    DataStream<RowData> changes =
        environment.fromSource(kafka, WatermarkStrategy.noWatermarks(), "Kafka orders");

    TableSchema schema =
        new TableSchema(ROW_TYPE, List.of("order_id"), List.of("dt"), List.of("ts"));
    HudiSink.builder()
        .path(tablePath)
        .tableName("orders")
        .tableType(TableType.MERGE_ON_READ)
        .schema(schema)
        .build()
        .append(changes);
  }

  /** The rows of a table and then their changes: an upsert stream by order id. */
  static DataStream<RowData> follow(StreamExecutionEnvironment environment, String tablePath) {
    HudiSource source =
        HudiSource.builder()
            .path(tablePath)
            .rowType(ROW_TYPE)
            .continuous()
            .startCommit("earliest")
            .checkInterval(Duration.ofSeconds(1))
            .build();
    return environment.fromSource(source, WatermarkStrategy.noWatermarks(), "orders");
  }
}
