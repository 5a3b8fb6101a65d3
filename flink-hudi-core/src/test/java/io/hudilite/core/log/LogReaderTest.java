package io.hudilite.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

final class LogReaderTest {
  private static final InstantTime INSTANT = new InstantTime("20261129221150721");
  private static final InstantTime ROLLBACK = new InstantTime("20261129221150722");
  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"r\",\"fields\":[{\"name\":\"a\",\"type\":\"string\"}]}";

  /** A file and where its blocks end. */
  private record Written(byte[] bytes, List<Long> ends) {}

  private static Written write(int blocks, int recordBytes) throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    List<Long> ends = new ArrayList<>();
    LogWriter writer = LogWriter.create(storage, "f");
    for (int i = 0; i < blocks; i++) {
      switch (i % 3) {
        case 0 -> {
          AvroBuffer records = new AvroBuffer();
          for (int k = 0; k < 3; k++) {
            String text = i + ":" + k + "x".repeat(recordBytes);
            records.writeBigEndianInt(text.length());
            records.writeRaw(text.getBytes(StandardCharsets.US_ASCII));
          }
          writer.appendData(INSTANT, SCHEMA, 3, records);
        }
        case 1 -> writer.appendDeletes(INSTANT, SCHEMA, List.of(deleted("k" + i), deleted("j")));
        default -> writer.appendRollback(ROLLBACK, INSTANT);
      }
      ends.add(writer.size());
    }
    writer.close();
    byte[] bytes = storage.read("f");
    assertThat(writer.size()).isEqualTo(bytes.length);
    return new Written(bytes, ends);
  }

  private static DeletedRecord deleted(String key) {
    return new DeletedRecord(key.getBytes(StandardCharsets.UTF_8), "dt=1", OrderingValue.ofLong(5));
  }

  /** All that the reader gives: one line for each block, and for an error. */
  private static List<String> read(byte[] bytes) throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    storage.createNew("f", bytes);
    List<String> lines = new ArrayList<>();
    try (LogReader reader = LogReader.open(storage, "f", bytes.length)) {
      long last = -1;
      while (true) {
        try {
          LogBlock block = reader.next();
          if (block == null) {
            return lines;
          }
          assertThat(block.position()).isGreaterThan(last);
          last = block.position();
          lines.add(describe(block));
        } catch (CorruptLogException e) {
          assertThat(e).hasMessageContaining("f at byte ");
          lines.add("error");
        }
        assertThat(lines.size()).isLessThanOrEqualTo(bytes.length + 1);
      }
    }
  }

  private static String describe(LogBlock block) throws IOException {
    if (block instanceof LogBlock.Data data) {
      StringBuilder line = new StringBuilder("data " + data.instant());
      RecordCursor cursor = data.records();
      while (cursor.next()) {
        line.append(' ')
            .append(
                new String(
                    cursor.bytes(), cursor.offset(), cursor.length(), StandardCharsets.US_ASCII));
      }
      return line.toString();
    }
    if (block instanceof LogBlock.Delete delete) {
      return "delete " + delete.instant() + delete.records();
    }
    if (block instanceof LogBlock.Corrupt) {
      return "corrupt";
    }
    return block.getClass().getSimpleName();
  }

  @Test
  void theFrameIsThatOfHudi() throws IOException {
    byte[] bytes = write(3, 0).bytes();
    byte[] rollback = Arrays.copyOfRange(bytes, bytes.length - 105, bytes.length);

    assertThat(HexFormat.of().formatHex(rollback, 0, 34))
        .isEqualTo(
            "234855444923"
                + "000000000000005b"
                + "00000001"
                + "00000000"
                + "00000003"
                + "00000000"
                + "00000011");
    assertThat(HexFormat.of().formatHex(rollback, 105 - 20, 105))
        .isEqualTo("0000000000000000" + "00000000" + "0000000000000061");
  }

  @Property(tries = 150)
  void aTornTailLeavesAllEarlierBlocks(
      @ForAll @IntRange(min = 1, max = 7) int blocks, @ForAll int cut) throws IOException {
    Written written = write(blocks, 5);
    List<String> whole = read(written.bytes());
    int length = Math.floorMod(cut, written.bytes().length + 1);
    int intact = (int) written.ends().stream().filter(end -> end <= length).count();

    List<String> lines = read(Arrays.copyOf(written.bytes(), length));

    assertThat(lines.subList(0, intact)).isEqualTo(whole.subList(0, intact));
    boolean atBoundary = length == 0 || written.ends().contains((long) length);
    assertThat(lines.subList(intact, lines.size()))
        .isEqualTo(atBoundary ? List.of() : List.of("corrupt"));
  }

  @Property(tries = 1000)
  void aFlippedBitDamagesItsOwnBlockOnly(@ForAll int position, @ForAll @IntRange(max = 7) int bit)
      throws IOException {
    Written written = write(6, 5);
    List<String> whole = read(written.bytes());
    byte[] bytes = written.bytes().clone();
    int at = Math.floorMod(position, bytes.length);
    bytes[at] ^= (byte) (1 << bit);
    int damaged = (int) written.ends().stream().filter(end -> end <= at).count();

    List<String> lines = read(bytes);

    assertThat(lines).hasSize(6);
    for (int i = 0; i < 6; i++) {
      if (i != damaged) {
        assertThat(lines.get(i)).isEqualTo(whole.get(i));
      }
    }
  }

  @Property(tries = 300)
  void anythingAtAllIsReadToItsEnd(@ForAll byte[] noise, @ForAll boolean between)
      throws IOException {
    byte[] block = write(1, 3).bytes();
    byte[] bytes = Arrays.copyOf(noise, noise.length + (between ? block.length : 0));
    if (between) {
      System.arraycopy(block, 0, bytes, noise.length, block.length);
    }

    List<String> lines = read(bytes);

    if (between) {
      assertThat(lines.get(lines.size() - 1)).startsWith("data ");
    }
    assertThat(lines.size()).isEqualTo((noise.length > 0 ? 1 : 0) + (between ? 1 : 0));
  }

  @Test
  void recordsLargerThanTheWindowAreRead() throws IOException {
    List<String> lines = read(write(1, 3 << 20).bytes());

    assertThat(lines).hasSize(1);
    assertThat(lines.get(0).length()).isGreaterThan(9 << 20);
  }

  @Test
  void contentCanBeReadAfterLaterBlocks() throws IOException {
    byte[] bytes = write(4, 5).bytes();
    InMemoryStorage storage = new InMemoryStorage();
    storage.createNew("f", bytes);
    try (LogReader reader = LogReader.open(storage, "f", bytes.length)) {
      List<LogBlock> blocks = new ArrayList<>();
      for (LogBlock block = reader.next(); block != null; block = reader.next()) {
        blocks.add(block);
      }
      List<String> backwards = new ArrayList<>();
      for (int i = blocks.size() - 1; i >= 0; i--) {
        backwards.add(0, describe(blocks.get(i)));
      }
      assertThat(backwards).isEqualTo(read(bytes));
    }
  }

  @Test
  void aFileShorterThanToldIsAnError() throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    storage.createNew("f", new byte[10]);

    try (LogReader reader = LogReader.open(storage, "f", 11)) {
      assertThatThrownBy(reader::next)
          .isInstanceOf(CorruptLogException.class)
          .hasMessageContaining("shorter than 11 bytes");
    }
  }

  @Test
  void whatCameAfterTheListingIsNotRead() throws IOException {
    Written written = write(3, 5);
    InMemoryStorage storage = new InMemoryStorage();
    storage.createNew("f", written.bytes());
    try (LogReader reader = LogReader.open(storage, "f", written.ends().get(0))) {
      assertThat(reader.next()).isInstanceOf(LogBlock.Data.class);
      assertThat(reader.next()).isNull();
    }
  }

  @Test
  void aForgedLengthInsideAWholeFrameIsAnError() throws IOException {
    Written written = write(2, 5);
    byte[] bytes = written.bytes().clone();
    // Number of records: behind magic, size, version, type, header, content length and version.
    int header = 4 + 8 + 17 + 8 + SCHEMA.length();
    int count = 6 + 8 + 4 + 4 + header + 8 + 4;
    bytes[count] = 0x7F;

    assertThat(read(bytes)).first().isEqualTo("error");
    assertThat(read(bytes)).hasSize(2);
  }
}
