package io.hudilite.sink.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.sink.config.IndexScope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;

class RecordKeyTest {
  private static final byte[] NO_PARTITION = new byte[0];

  @Property(tries = 300)
  void keysAreEqualIfTheirBytesAre(
      @ForAll @Size(max = 20) byte[] one,
      @ForAll @IntRange(max = 20) int length,
      @ForAll @IntRange(max = 3) int before,
      @ForAll @IntRange(max = 9) int behind,
      @ForAll byte change) {
    byte[] other = Arrays.copyOf(one, length);
    if (length > 0) {
      other[length - 1] ^= (byte) (change & 1);
    }
    byte[] inside = new byte[before + length + behind];
    Arrays.fill(inside, (byte) 77);
    System.arraycopy(other, 0, inside, before, length);
    RecordKey first = key(one, 0, one.length);
    RecordKey second = key(inside, before, length);
    assertThat(first.equals(second)).isEqualTo(Arrays.equals(one, other));
    if (first.equals(second)) {
      assertThat(first).hasSameHashCodeAs(second);
    }
    assertThat(second.hashCode()).isEqualTo(Arrays.hashCode(other));
  }

  @Property(tries = 200)
  void keysComeBackFromStateAndStayWhatTheyWere(
      @ForAll @Size(max = 300) byte[] bytes, @ForAll @Size(max = 40) byte[] next)
      throws IOException {
    RecordKey key = key(bytes, 0, bytes.length);
    DataOutputSerializer out = new DataOutputSerializer(16);
    RecordKeySerializer.INSTANCE.serialize(key, out);
    RecordKey copy = RecordKeySerializer.INSTANCE.copy(key);
    key.set(next, 0, next.length, NO_PARTITION, IndexScope.TABLE);
    assertThat(copy).isEqualTo(key(bytes, 0, bytes.length));
    DataInputDeserializer in = new DataInputDeserializer(out.getCopyOfBuffer());
    assertThat(RecordKeySerializer.INSTANCE.deserialize(in)).isEqualTo(copy);
    assertThat(in.available()).isZero();
  }

  @Test
  void keysOfRowsAndOfTheTableAreEqual() {
    for (IndexScope scope : IndexScope.values()) {
      RecordKey fromRow = new RecordKey().set(Records.upsert("k1", "p1", 1, "", scope), scope);
      assertThat(fromRow).isEqualTo(fromTable("p1", scope));
      assertThat(fromRow).hasSameHashCodeAs(fromTable("p1", scope));
      assertThat(fromRow.equals(fromTable("p2", scope))).isEqualTo(scope == IndexScope.TABLE);
    }
  }

  private static RecordKey fromTable(String partition, IndexScope scope) {
    byte[] bytes = "k1".getBytes(StandardCharsets.UTF_8);
    return new RecordKey()
        .set(bytes, 0, bytes.length, partition.getBytes(StandardCharsets.UTF_8), scope);
  }

  private static RecordKey key(byte[] bytes, int offset, int length) {
    return new RecordKey().set(bytes, offset, length, NO_PARTITION, IndexScope.TABLE);
  }
}
