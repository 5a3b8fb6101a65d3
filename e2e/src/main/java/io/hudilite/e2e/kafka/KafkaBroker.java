package io.hudilite.e2e.kafka;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.metadata.storage.Formatter;
import org.apache.kafka.server.common.MetadataVersion;

/**
 * A Kafka of one node, broker and controller in one (KRaft), on free ports of the loopback
 * interface. Starting takes some seconds, on a busy machine up to twenty. One may run several
 * beside each other.
 */
public final class KafkaBroker implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int NODE_ID = 1;

  private final KafkaRaftServer server;
  private final String bootstrapServers;

  private KafkaBroker(KafkaRaftServer server, String bootstrapServers) {
    this.server = server;
    this.bootstrapServers = bootstrapServers;
  }

  /**
   * Starts a broker; it answers when this returns.
   *
   * @param folder a new or empty folder for its data
   * @throws IOException if it could not start, with what Kafka said
   */
  public static KafkaBroker start(Path folder) throws IOException {
    int brokerPort = freePort();
    int controllerPort = freePort();
    String bootstrapServers = HOST + ":" + brokerPort;
    try {
      format(folder);
      KafkaRaftServer server =
          new KafkaRaftServer(
              KafkaConfig.fromProps(properties(folder, brokerPort, controllerPort)), Time.SYSTEM);
      server.startup();
      return new KafkaBroker(server, bootstrapServers);
    } catch (Exception e) {
      throw new IOException(
          "Kafka did not start at %s with its data in %s: %s"
              .formatted(bootstrapServers, folder, e.getMessage()),
          e);
    }
  }

  private static void format(Path folder) throws Exception {
    new Formatter()
        .setPrintStream(new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8))
        .setNodeId(NODE_ID)
        .setClusterId(Uuid.randomUuid().toString())
        .setControllerListenerName("CONTROLLER")
        .setReleaseVersion(MetadataVersion.LATEST_PRODUCTION)
        .setMetadataLogDirectory(folder.toString())
        .setDirectories(List.of(folder.toString()))
        .run();
  }

  private static Properties properties(Path folder, int brokerPort, int controllerPort) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            "process.roles",
            "broker,controller",
            "node.id",
            Integer.toString(NODE_ID),
            "controller.quorum.voters",
            NODE_ID + "@" + HOST + ":" + controllerPort,
            "listeners",
            "PLAINTEXT://%s:%d,CONTROLLER://%s:%d"
                .formatted(HOST, brokerPort, HOST, controllerPort),
            "controller.listener.names",
            "CONTROLLER",
            "log.dirs",
            folder.toString()));
    // One node can hold one copy of anything.
    properties.putAll(
        Map.of(
            "offsets.topic.replication.factor", "1",
            "offsets.topic.num.partitions", "1",
            "transaction.state.log.replication.factor", "1",
            "transaction.state.log.num.partitions", "1",
            "transaction.state.log.min.isr", "1",
            "group.initial.rebalance.delay.ms", "0",
            // Nothing is read twice here, and an unclean end loses nothing that matters.
            "log.cleaner.enable", "false"));
    return properties;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }

  /** What {@code properties.bootstrap.servers} of a client must be. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Creates a topic; it can be written when this returns. */
  public void createTopic(String topic, int partitions) throws IOException {
    try (Admin admin =
        Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrapServers))) {
      admin
          .createTopics(List.of(new NewTopic(topic, Optional.of(partitions), Optional.empty())))
          .all()
          .get(60, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("Kafka could not create topic " + topic + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while Kafka created topic " + topic, e);
    }
  }

  /** Stops the broker and waits for its end; its data stay. */
  @Override
  public void close() {
    server.shutdown();
    server.awaitShutdown();
  }
}
