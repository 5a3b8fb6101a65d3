package io.hudilite.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.Records;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a full buffer keeps alive, after garbage collection, is what it says that it takes. */
class BufferedBytesTest {
  private static final long LIMIT = 16 << 20;

  /** Of the test's own JVM: loaded classes, other threads. */
  private static final long NOISE = 6 << 20;

  @ParameterizedTest
  @ValueSource(ints = {1, 1_000, 10_000})
  void liveBytesStayWithinTheLimitForAnyNumberOfFileGroups(int groupCount) throws Exception {
    GroupAddress[] groups = new GroupAddress[groupCount];
    for (int i = 0; i < groupCount; i++) {
      groups[i] = Records.group("dt=2026-01-01", i);
    }
    WriteBuffer buffer =
        new WriteBuffer(() -> LIMIT, LIMIT * 2, RecordMerger.of(MergeMode.EVENT_TIME_ORDERING));
    long before = liveBytes();
    int rows = 0;
    while (buffer.bytes() < LIMIT) {
      HudiRecord record = Records.upsert("key" + rows, "dt=2026-01-01", rows, "x".repeat(100));
      record.assign(groups[rows % groupCount], false);
      buffer.add(record);
      rows++;
    }
    long live = liveBytes() - before;
    assertThat(live).isLessThan(buffer.bytes() + NOISE);
    Reference.reachabilityFence(buffer);
    Reference.reachabilityFence(groups);
  }

  private static long liveBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
