package io.hudilite.e2e.demo;

import io.hudilite.e2e.kafka.KafkaBroker;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Kafka in this process; the same with Kafka in a container is in the test beside it. */
class KafkaToTableTest {

  @Test
  @Timeout(value = 5, unit = TimeUnit.MINUTES)
  void debeziumChangesBecomeATableThatBothReadsShow(@TempDir Path folder) throws Exception {
    try (KafkaBroker kafka = KafkaBroker.start(folder.resolve("kafka"))) {
      kafka.createTopic(DemoSql.TOPIC, 2);
      KafkaToTable.run(kafka.bootstrapServers(), folder);
    }
  }
}
