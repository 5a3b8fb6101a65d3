package io.hudilite.sink.write;

import io.hudilite.core.timeline.WriteStat;
import java.util.List;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/** What a writer tells of itself. Thread of the task, but for gauges. */
final class WriteMetrics {
  private final Counter rows;
  private final Counter bytes;
  private final Counter flushes;
  private final Counter flushMillis;
  private final Counter files;
  private final Counter fileBytes;

  /** Nanoseconds that did not make a millisecond yet. */
  private long restNanos;

  WriteMetrics(MetricGroup group, WriteBuffer buffer) {
    MetricGroup own = group.addGroup("hudi");
    rows = own.counter("rowsWritten");
    bytes = own.counter("bytesWritten");
    flushes = own.counter("flushes");
    flushMillis = own.counter("flushMillis");
    files = own.counter("filesWritten");
    fileBytes = own.counter("fileBytesWritten");
    own.gauge("bufferedBytes", buffer::bytes);
    own.gauge("openFileGroups", buffer::groups);
  }

  void onRow(int length) {
    rows.inc();
    bytes.inc(length);
  }

  void onFlush(long nanos, List<WriteStat> written) {
    flushes.inc();
    files.inc(written.size());
    written.forEach(stat -> fileBytes.inc(Math.max(0, stat.fileSizeInBytes())));
    restNanos += nanos;
    flushMillis.inc(restNanos / 1_000_000);
    restNanos %= 1_000_000;
  }
}
