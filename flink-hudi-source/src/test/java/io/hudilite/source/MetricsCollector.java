package io.hudilite.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

/** Keeps the metrics of the source of all jobs in this JVM, also when their jobs have ended. */
public final class MetricsCollector implements MetricReporter {
  private static final Set<String> NAMES =
      Set.of(
          "instantsBehind",
          "secondsBehind",
          "splitsPending",
          "numBytesIn",
          "numRecordsIn",
          "rowsOvertaken",
          "watermarkAlignmentDrift");

  private static final Map<String, List<Metric>> BY_NAME = new ConcurrentHashMap<>();

  /** The values of all metrics of a name, one for each subtask and attempt. */
  static List<Long> values(String name) {
    return BY_NAME.getOrDefault(name, List.of()).stream().map(MetricsCollector::value).toList();
  }

  static long sum(String name) {
    return values(name).stream().mapToLong(Long::longValue).sum();
  }

  /** Of jobs that have ended; none may run. */
  static void forgetAll() {
    BY_NAME.clear();
  }

  /** Waits until the metrics are as wanted. */
  static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(180);
    while (!condition.getAsBoolean() && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
    assertThat(condition.getAsBoolean())
        .as("%s", BY_NAME.keySet().stream().map(n -> n + values(n)).toList())
        .isTrue();
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
    if (NAMES.contains(name)) {
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
