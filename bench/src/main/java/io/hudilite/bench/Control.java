package io.hudilite.bench;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/** What sources and readers tell the driver: all run in one JVM. */
final class Control {
  static final class Run {
    final Gen.Spec spec;
    volatile long firstNanos;
    final AtomicLong emitted = new AtomicLong();
    final AtomicLongArray batch; // per split: batches fully emitted
    final AtomicLongArray done; // per split: 1 when the last row is out

    Run(Gen.Spec spec) {
      this.spec = spec;
      batch = new AtomicLongArray(spec.splits);
      done = new AtomicLongArray(spec.splits);
    }

    boolean allDone() {
      for (int i = 0; i < spec.splits; i++) {
        if (done.get(i) == 0) {
          return false;
        }
      }
      return true;
    }

    long minBatch() {
      long m = Long.MAX_VALUE;
      for (int i = 0; i < spec.splits; i++) {
        m = Math.min(m, batch.get(i));
      }
      return m;
    }
  }

  static final Map<String, Run> RUNS = new ConcurrentHashMap<>();

  /** Rows seen by bench_seen(ts), and when the last row of each commit was seen. */
  static final AtomicLong SEEN = new AtomicLong();

  static volatile long seenFirstNanos;
  static volatile long seenLastNanos;
  static volatile long perCommit;
  static volatile long seenBaseSeq;
  static final ConcurrentHashMap<Long, long[]> SEEN_BATCH =
      new ConcurrentHashMap<>(); // {count, last nanos}

  private Control() {}
}
