package io.hudilite.e2e.kafka;

import io.hudilite.e2e.orders.OrderChange;
import java.io.IOException;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Sends changes to a topic as Debezium does: keyed by the row's key, so that all changes of a row
 * are in one partition, and with an empty message (a tombstone) after each delete.
 *
 * <p>{@link #send} blocks; {@link #sent} may be asked by any thread meanwhile.
 */
public final class OrderProducer implements AutoCloseable {
  private final String topic;
  private final KafkaProducer<String, String> producer;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  public OrderProducer(String bootstrapServers, String topic) {
    this.topic = topic;
    this.producer =
        new KafkaProducer<>(
            Map.of(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                bootstrapServers,
                ProducerConfig.ACKS_CONFIG,
                "all",
                ProducerConfig.LINGER_MS_CONFIG,
                20),
            new StringSerializer(),
            new StringSerializer());
  }

  /**
   * Sends all changes and returns when Kafka has them.
   *
   * @param ratePerSecond changes a second, or 0 for as many as possible
   * @throws IOException if Kafka did not take one
   */
  public void send(Iterator<OrderChange> changes, int ratePerSecond) throws IOException {
    long start = System.nanoTime();
    long count = 0;
    while (changes.hasNext() && failure.get() == null) {
      OrderChange change = changes.next();
      String key = "{\"order_id\":" + change.orderId() + "}";
      send(key, change.toDebeziumJson());
      if (change.op() == OrderChange.Op.DELETE) {
        send(key, null);
      }
      sent.incrementAndGet();
      count++;
      if (ratePerSecond > 0) {
        waitUntil(start + count * 1_000_000_000L / ratePerSecond);
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new IOException("Interrupted after " + count + " changes");
      }
    }
    producer.flush();
    Exception failed = failure.get();
    if (failed != null) {
      throw new IOException("Kafka did not take a change: " + failed.getMessage(), failed);
    }
  }

  /** A null value is a tombstone. The answer comes on Kafka's own thread. */
  private void send(String key, String value) {
    producer.send(
        new ProducerRecord<>(topic, key, value),
        (metadata, failed) -> {
          if (failed != null) {
            failure.compareAndSet(null, failed);
          }
        });
  }

  private static void waitUntil(long nanoTime) {
    for (long wait = nanoTime - System.nanoTime();
        wait > 0 && !Thread.currentThread().isInterrupted();
        wait = nanoTime - System.nanoTime()) {
      LockSupport.parkNanos(wait);
    }
  }

  /** How many changes have been sent so far; tombstones do not count. */
  public int sent() {
    return sent.get();
  }

  @Override
  public void close() {
    producer.close();
  }
}
