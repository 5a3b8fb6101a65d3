package io.hudilite.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.Action;
import io.hudilite.e2e.kafka.OrderProducer;
import io.hudilite.e2e.orders.OrderStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** The way from a Kafka to a table and out again, with a check at each end of it. */
final class KafkaToTable {
  private static final int CHANGES = 6_000;
  // Slow enough for several commits while the changes come in.
  private static final int CHANGES_PER_SECOND = 1_500;
  private static final Duration LIMIT = Duration.ofSeconds(120);

  private KafkaToTable() {}

  /**
   * Writes a stream of orders with deletes, moves and late changes through the topic into a table,
   * follows the table while it grows, stops, and reads it whole.
   *
   * @param folder a new folder for all files
   */
  static void run(String bootstrapServers, Path folder) throws Exception {
    OrderStream shop = new OrderStream(7, CHANGES);
    String table = folder.resolve("orders").toString();
    try (LocalFlink flink = LocalFlink.start(folder.resolve("checkpoints"))) {
      StreamTableEnvironment tables = flink.streaming(Duration.ofMillis(700));
      tables.executeSql(DemoSql.createKafkaOrders(bootstrapServers));
      tables.executeSql(DemoSql.createOrders(table));
      JobClient writing = tables.executeSql(DemoSql.INSERT).getJobClient().orElseThrow();
      CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send(shop, bootstrapServers));
      awaitFirstCommit(writing, table);
      try (StatusBoard board = StatusBoard.follow(tables.executeSql(DemoSql.FOLLOW))) {
        sent.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThat(board.awaitTotals(shop.totals(), LIMIT))
            .as("the streaming read comes to %s, not %s", shop.totals(), board.totals())
            .isTrue();
      }
      writing
          .stopWithSavepoint(
              false, folder.resolve("savepoints").toUri().toString(), SavepointFormatType.CANONICAL)
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);

      StreamTableEnvironment batch = flink.batch();
      batch.executeSql(DemoSql.createOrders(table));
      assertThat(TableReport.orders(batch.executeSql(DemoSql.SNAPSHOT)))
          .containsExactlyElementsOf(shop.orders());
    }
  }

  private static void send(OrderStream shop, String bootstrapServers) {
    try (OrderProducer producer = new OrderProducer(bootstrapServers, DemoSql.TOPIC)) {
      producer.send(shop, CHANGES_PER_SECOND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A table that is not there yet cannot be read. */
  private static void awaitFirstCommit(JobClient writing, String table) throws Exception {
    Storage storage = Storages.of(table);
    long end = System.nanoTime() + LIMIT.toNanos();
    while (storage.list(".hoodie/timeline").stream()
        .noneMatch(file -> file.name().endsWith(Action.DELTA_COMMIT.completedSuffix()))) {
      if (writing.getJobStatus().get().isTerminalState()) {
        writing.getJobExecutionResult().get(); // throws what went wrong
      }
      assertThat(System.nanoTime()).as("a commit within %s", LIMIT).isLessThan(end);
      TimeUnit.MILLISECONDS.sleep(100);
    }
  }
}
