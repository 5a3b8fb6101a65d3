package io.hudilite.sink.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WriterMemoryTest {
  private static final long MB = 1 << 20;

  @Test
  void writersShareTheHeapThatTheyMayUse() {
    assertThat(WriterMemory.bufferBytes(1000 * MB, 2, 1, 1024 * MB)).isEqualTo(200 * MB);
    assertThat(WriterMemory.bufferBytes(1000 * MB, 2, 8, 1024 * MB)).isEqualTo(50 * MB);
    assertThat(WriterMemory.bufferBytes(1000 * MB, 2, 8, 10 * MB)).isEqualTo(10 * MB);
    assertThat(WriterMemory.bufferBytes(1000 * MB, 2, 100_000, 10 * MB)).isEqualTo(MB);
  }

  @Test
  void whatIsEncodedTakesAQuarterMore() {
    assertThat(WriterMemory.rowGroupBytes(1000 * MB, 120 * MB)).isEqualTo(120 * MB);
    assertThat(WriterMemory.rowGroupBytes(100 * MB, 120 * MB)).isEqualTo(25 * MB);
    assertThat(WriterMemory.rowGroupBytes(MB, 120 * MB)).isEqualTo(MB);
    assertThat(WriterMemory.rowGroupBytes(MB, 1024)).isEqualTo(1024);
    assertThat(WriterMemory.logBlockBytes(1000 * MB, 128 * MB)).isEqualTo((int) (16 * MB));
    assertThat(WriterMemory.logBlockBytes(20 * MB, 128 * MB)).isEqualTo((int) (5 * MB));
  }

  @Test
  void eachWriterThatLeavesGivesItsShareBack() {
    long alone = WriterMemory.bufferBytes(1, Long.MAX_VALUE);
    WriterMemory.join();
    WriterMemory.join();
    assertThat(WriterMemory.bufferBytes(1, Long.MAX_VALUE)).isLessThan(alone);
    WriterMemory.leave();
    WriterMemory.leave();
    assertThat(WriterMemory.bufferBytes(1, Long.MAX_VALUE)).isEqualTo(alone);
  }
}
