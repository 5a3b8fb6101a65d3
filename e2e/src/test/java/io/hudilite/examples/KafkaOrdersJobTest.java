package io.hudilite.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storages;
import io.hudilite.e2e.kafka.KafkaBroker;
import io.hudilite.e2e.kafka.OrderProducer;
import io.hudilite.e2e.orders.Order;
import io.hudilite.e2e.orders.OrderStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class KafkaOrdersJobTest {
  private static final int CHANGES = 2_000;

  @RegisterExtension
  static final MiniClusterExtension FLINK =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(4)
              .build());

  @Test
  @Timeout(value = 4, unit = TimeUnit.MINUTES)
  void whatIsWrittenIsWhatIsFollowed(@TempDir Path folder) throws Exception {
    String table = folder.resolve("orders").toString();
    OrderStream shop = new OrderStream(3, CHANGES);
    try (KafkaBroker kafka = KafkaBroker.start(folder.resolve("kafka"));
        OrderProducer producer = new OrderProducer(kafka.bootstrapServers(), "orders")) {
      kafka.createTopic("orders", 1);
      producer.send(shop, 0);

      StreamExecutionEnvironment writing = environment();
      KafkaOrdersJob.write(writing, kafka.bootstrapServers(), "orders", table);
      JobClient writer = writing.executeAsync("write");
      awaitCommit(writer, table);
      Map<Long, String> followed = new HashMap<>();
      Map<Long, String> expected =
          shop.orders().stream()
              .collect(Collectors.toMap(Order::orderId, KafkaOrdersJobTest::text));
      try (CloseableIterator<RowData> rows =
          KafkaOrdersJob.follow(environment(), table).executeAndCollect("follow")) {
        while (!followed.equals(expected) && rows.hasNext()) {
          RowData row = rows.next();
          if (row.getRowKind() == RowKind.DELETE) {
            followed.remove(row.getLong(0));
          } else {
            followed.put(row.getLong(0), text(row));
          }
        }
      }
      assertThat(followed).isEqualTo(expected);
      writer.cancel().get(60, TimeUnit.SECONDS);
    }
  }

  private static StreamExecutionEnvironment environment() {
    Configuration configuration = new Configuration();
    configuration.setString("execution.checkpointing.interval", "500 ms");
    configuration.setString("restart-strategy.type", "none");
    configuration.setString("parallelism.default", "2");
    return StreamExecutionEnvironment.getExecutionEnvironment(configuration);
  }

  private static void awaitCommit(JobClient writer, String table) throws Exception {
    long end = System.nanoTime() + Duration.ofMinutes(1).toNanos();
    while (Storages.of(table).list(".hoodie/timeline").stream()
        .noneMatch(file -> file.name().endsWith(".deltacommit"))) {
      if (writer.getJobStatus().get().isTerminalState()) {
        writer.getJobExecutionResult().get();
      }
      assertThat(System.nanoTime()).as("a commit within a minute").isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }

  private static String text(Order order) {
    return "%s %s %s %s %s"
        .formatted(order.userId(), order.amount(), order.status(), order.ts(), order.dt());
  }

  private static String text(RowData row) {
    return "%s %s %s %s %s"
        .formatted(
            row.getString(1),
            row.getDecimal(2, 10, 2),
            row.getString(3),
            row.getTimestamp(4, 3),
            row.getString(5));
  }
}
