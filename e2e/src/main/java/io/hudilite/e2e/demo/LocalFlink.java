package io.hudilite.e2e.demo;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.CoreOptions;
import org.apache.flink.configuration.ExecutionOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/** A Flink cluster inside this process, and table environments that submit to it. */
final class LocalFlink implements AutoCloseable {
  private static final int PARALLELISM = 2;
  // The writing job and the following one, each in its own slots, and the final read.
  private static final int SLOTS = 3 * PARALLELISM;

  private final MiniCluster cluster;
  private final URI rest;
  private final Path checkpoints;

  private LocalFlink(MiniCluster cluster, URI rest, Path checkpoints) {
    this.cluster = cluster;
    this.rest = rest;
    this.checkpoints = checkpoints;
  }

  static LocalFlink start(Path checkpoints) throws Exception {
    Configuration configuration = new Configuration();
    configuration.set(RestOptions.ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_ADDRESS, "127.0.0.1");
    configuration.set(RestOptions.BIND_PORT, "0");
    MiniCluster cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(SLOTS)
                .build());
    cluster.start();
    return new LocalFlink(cluster, cluster.getRestAddress().get(), checkpoints);
  }

  URI rest() {
    return rest;
  }

  /** For jobs that run until they are stopped. A failure ends them: a demo hides nothing. */
  StreamTableEnvironment streaming(Duration checkpointInterval) {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.STREAMING);
    configuration.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, checkpointInterval);
    configuration.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, checkpoints.toUri().toString());
    return tables(configuration);
  }

  StreamTableEnvironment batch() {
    Configuration configuration = new Configuration();
    configuration.set(ExecutionOptions.RUNTIME_MODE, RuntimeExecutionMode.BATCH);
    return tables(configuration);
  }

  private StreamTableEnvironment tables(Configuration configuration) {
    configuration.set(CoreOptions.DEFAULT_PARALLELISM, PARALLELISM);
    configuration.setString("restart-strategy.type", "none");
    StreamTableEnvironment tables =
        StreamTableEnvironment.create(
            StreamExecutionEnvironment.createRemoteEnvironment(
                rest.getHost(), rest.getPort(), configuration));
    tables.getConfig().setLocalTimeZone(ZoneOffset.UTC);
    return tables;
  }

  @Override
  public void close() throws Exception {
    cluster.close();
  }
}
