package io.hudilite.bench;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.ScalarFunction;

/** bench_seen(ts): always true; tells the driver that the row has arrived. */
public class Seen extends ScalarFunction {
  public Boolean eval(@DataTypeHint("TIMESTAMP(3)") LocalDateTime ts) {
    long now = System.nanoTime();
    if (Control.seenFirstNanos == 0) {
      Control.seenFirstNanos = now;
    }
    Control.seenLastNanos = now;
    Control.SEEN.incrementAndGet();
    long per = Control.perCommit;
    if (per > 0) {
      long seq = ts.toInstant(ZoneOffset.UTC).toEpochMilli() - Gen.TS0 - Control.seenBaseSeq;
      if (seq >= 0) {
        Control.SEEN_BATCH.compute(
            seq / per,
            (k, v) -> {
              long[] r = v == null ? new long[2] : v;
              r[0]++;
              r[1] = now;
              return r;
            });
      }
    }
    return true;
  }
}
