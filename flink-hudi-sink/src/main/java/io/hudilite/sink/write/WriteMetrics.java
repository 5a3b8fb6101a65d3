package io.hudilite.sink.write;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What a writer tells of itself. Thread of the task, but for gauges. */
final class WriteMetrics {
  private final Counter rows;
  private final Counter bytes;
  private final Counter flushes;
  private final Counter flushMillis;

  /** Nanoseconds that did not make a millisecond yet. */
  private long restNanos;

  WriteMetrics(MetricGroup group, WriteBuffer buffer) {
    MetricGroup own = group.addGroup("hudi");
    rows = own.counter("rowsWritten");
    bytes = own.counter("bytesWritten");
    flushes = own.counter("flushes");
    flushMillis = own.counter("flushMillis");
    own.gauge("bufferedBytes", buffer::bytes);
    own.gauge("openFileGroups", buffer::groups);
  }

  void onRow(int length) {
    rows.inc();
    bytes.inc(length);
  }

  void onFlush(long nanos) {
    flushes.inc();
    restNanos += nanos;
    flushMillis.inc(restNanos / 1_000_000);
    restNanos %= 1_000_000;
  }
}
