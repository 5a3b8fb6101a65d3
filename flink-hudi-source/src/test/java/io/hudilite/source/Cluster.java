package io.hudilite.source;

import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.test.junit5.MiniClusterExtension;

/** A Flink inside the JVM. */
final class Cluster {
  private Cluster() {}

  /** One whose metrics {@link MetricsCollector} keeps. */
  static MiniClusterExtension withMetrics(int slots) {
    return withMetrics(slots, Map.of());
  }

  static MiniClusterExtension withMetrics(int slots, Map<String, String> options) {
    Map<String, String> all = new HashMap<>(options);
    all.put("metrics.reporters", "test");
    all.put("metrics.reporter.test.factory.class", MetricsCollector.Factory.class.getName());
    return new MiniClusterExtension(
        new MiniClusterResourceConfiguration.Builder()
            .setConfiguration(Configuration.fromMap(all))
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(slots)
            .build());
  }

  static MiniClusterExtension withSlots(int slots) {
    return new MiniClusterExtension(
        new MiniClusterResourceConfiguration.Builder()
            .setNumberTaskManagers(1)
            .setNumberSlotsPerTaskManager(slots)
            .build());
  }
}
