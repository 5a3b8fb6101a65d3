package io.hudilite.sink;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the metrics of the sink of all jobs in this JVM, also when their jobs have ended. */
public final class MetricsCollector implements MetricReporter {
  private static final Map<String, List<Metric>> BY_NAME = new ConcurrentHashMap<>();

  /** The values of all metrics of a name, one for each subtask and attempt. */
  static List<Long> values(String name) {
    return BY_NAME.getOrDefault(name, List.of()).stream().map(MetricsCollector::value).toList();
  }

  static Set<String> names() {
    return Set.copyOf(BY_NAME.keySet());
  }

  static long sum(String name) {
    return values(name).stream().mapToLong(Long::longValue).sum();
  }

  private static long value(Metric metric) {
    if (metric instanceof Counter counter) {
      return counter.getCount();
    }
    return ((Number) ((Gauge<?>) metric).getValue()).longValue();
  }

  @Override
  public void open(MetricConfig config) {
    BY_NAME.clear();
  }

  @Override
  public void close() {}

  @Override
  public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
    if (group.getMetricIdentifier(name).endsWith(".hudi." + name)) {
      BY_NAME.computeIfAbsent(name, key -> new CopyOnWriteArrayList<>()).add(metric);
    }
  }

  @Override
  public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {}

  /** Found by Flink through the service file beside this class. */
  public static final class Factory implements MetricReporterFactory {
    @Override
    public MetricReporter createMetricReporter(Properties properties) {
      return new MetricsCollector();
    }
  }
}
