package io.hudilite.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.Records;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class WriteBufferTest {
  private static final long LARGE = 1 << 30;

  @Property(tries = 60)
  void eachKeyIsThereOnceInItsVersionThatCounts(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    MergeMode mode =
        random.nextBoolean() ? MergeMode.EVENT_TIME_ORDERING : MergeMode.COMMIT_TIME_ORDERING;
    WriteBuffer buffer = new WriteBuffer(() -> LARGE, LARGE, RecordMerger.of(mode));
    fillAndTakeAll(buffer, mode, random);
    fillAndTakeAll(buffer, mode, random); // in the memory of before
  }

  private static void fillAndTakeAll(WriteBuffer buffer, MergeMode mode, Random random)
      throws IOException {
    Map<String, String> model = new HashMap<>();
    Map<String, Long> orderings = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      String key = "k" + random.nextInt(60);
      int group = key.hashCode() & 3;
      long ordering = random.nextInt(10);
      boolean isDelete = random.nextInt(5) == 0;
      String body = "v" + i + "x".repeat(random.nextInt(20) == 0 ? 70_000 : random.nextInt(50));
      HudiRecord record =
          isDelete ? Records.delete(key, "p", ordering) : Records.upsert(key, "p", ordering, body);
      record.assign(Records.group("p", group), false);
      buffer.add(record);
      boolean counts =
          mode == MergeMode.COMMIT_TIME_ORDERING
              || ordering >= orderings.getOrDefault(key, Long.MIN_VALUE);
      if (counts) {
        model.put(key, isDelete ? "deleted" : body);
        orderings.put(key, ordering);
      }
    }
    Map<String, String> found = new HashMap<>();
    List<GroupBuffer> taken = buffer.takeAll();
    for (GroupBuffer group : taken) {
      int[] rows = new int[1];
      group.forEach(
          (page, offset, length) -> {
            rows[0]++;
            String key =
                new String(
                    page,
                    HudiRecord.keyOffset(offset),
                    HudiRecord.keyLength(page, offset),
                    StandardCharsets.UTF_8);
            String value =
                HudiRecord.isDelete(page, offset)
                    ? "deleted"
                    : new String(
                        page,
                        HudiRecord.bodyOffset(page, offset),
                        HudiRecord.bodyLength(page, offset, length),
                        StandardCharsets.UTF_8);
            assertThat(found.put(key, value)).as(key).isNull();
          });
      assertThat(rows[0]).isEqualTo(group.rows());
    }
    assertThat(found).isEqualTo(model);
    assertThat(buffer.bytes()).isZero();
    buffer.release(taken);
  }

  @Test
  void idlePagesGoIfTheirMemoryIsNeeded() {
    PagePool pool = new PagePool();
    byte[] page = pool.take();
    pool.giveBack(List.of(new byte[10], page, new byte[PagePool.PAGE_BYTES]));
    assertThat(pool.idleBytes()).isEqualTo(2L * PagePool.PAGE_BYTES);
    pool.shrinkTo(2L * PagePool.PAGE_BYTES - 1);
    assertThat(pool.idleBytes()).isEqualTo(PagePool.PAGE_BYTES);
    assertThat(pool.take()).isSameAs(page);
    pool.shrinkTo(-1);
    assertThat(pool.idleBytes()).isZero();
  }

  @Test
  void largestGroupsGoFirstUntilAQuarterIsFree() throws IOException {
    WriteBuffer buffer =
        new WriteBuffer(() -> 400_000, LARGE, RecordMerger.of(MergeMode.COMMIT_TIME_ORDERING));
    int written = 0;
    for (int i = 0; i < 10_000; i++) {
      HudiRecord record = Records.upsert("k" + i, "p", 1, "x".repeat(100));
      record.assign(Records.group("p", i % 10 == 0 ? i % 70 : 3), false);
      buffer.add(record);
      List<GroupBuffer> overfull = buffer.takeOverfull();
      if (!overfull.isEmpty()) {
        written++;
        assertThat(overfull.get(0).id()).isEqualTo(Records.group("p", 3).id());
        assertThat(buffer.bytes()).isLessThanOrEqualTo(300_000);
      }
      assertThat(buffer.bytes()).isLessThan(400_000);
    }
    assertThat(written).isPositive();
  }

  @Test
  void oneGroupIsFlushedAtItsOwnLimit() throws IOException {
    WriteBuffer buffer =
        new WriteBuffer(() -> LARGE, 10_000, RecordMerger.of(MergeMode.COMMIT_TIME_ORDERING));
    HudiRecord large = Records.upsert("k", "p", 1, "x".repeat(20_000));
    large.assign(Records.group("p", 1), true);
    buffer.add(large);
    List<GroupBuffer> overfull = buffer.takeOverfull();
    assertThat(overfull).hasSize(1);
    assertThat(overfull.get(0).isNewGroup()).isTrue();
    assertThat(buffer.isEmpty()).isTrue();
  }

  @Test
  void thousandSmallGroupsTakeLittleMemory() throws IOException {
    WriteBuffer buffer =
        new WriteBuffer(() -> LARGE, LARGE, RecordMerger.of(MergeMode.COMMIT_TIME_ORDERING));
    for (int i = 0; i < 1_000; i++) {
      HudiRecord record = Records.upsert("k" + i, "p", 1, "row");
      record.assign(Records.group("p", i), true);
      buffer.add(record);
    }
    assertThat(buffer.groups()).isEqualTo(1_000);
    assertThat(buffer.bytes()).isLessThan(2_000_000);
  }
}
