package io.hudilite.e2e.demo;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** As the test beside it, with the Kafka that people deploy. Skipped where no Docker answers. */
@Testcontainers(disabledWithoutDocker = true)
class KafkaContainerToTableTest {

  @Container private final KafkaContainer kafka = new KafkaContainer("apache/kafka:3.9.1");

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void debeziumChangesBecomeATableThatBothReadsShow(@TempDir Path folder) throws Exception {
    KafkaToTable.run(kafka.getBootstrapServers(), folder);
  }
}
