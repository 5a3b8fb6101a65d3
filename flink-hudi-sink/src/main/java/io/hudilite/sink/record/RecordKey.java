package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.config.IndexScope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What the index looks rows up by: the record key as UTF-8, and if keys are unique per partition
 * only, a zero byte and the partition path behind it. Immutable. The hash is part of the format: it
 * decides which key group of Flink's state a key belongs to.
 */
public final class RecordKey {
  private final byte[] bytes;
  private final int hash;

  RecordKey(byte[] bytes, int hash) {
    this.bytes = requireNonNull(bytes, "bytes");
    this.hash = hash;
  }

  /** The key of a row that was read from the table. Takes over {@code recordKey}. */
  public static RecordKey of(byte[] recordKey, String partitionPath, IndexScope scope) {
    byte[] bytes =
        switch (scope) {
          case TABLE -> recordKey;
          case PARTITION -> {
            byte[] partition = partitionPath.getBytes(StandardCharsets.UTF_8);
            byte[] both = Arrays.copyOf(recordKey, recordKey.length + 1 + partition.length);
            System.arraycopy(partition, 0, both, recordKey.length + 1, partition.length);
            yield both;
          }
        };
    return new RecordKey(bytes, hashOf(bytes, 0, bytes.length));
  }

  static int hashOf(byte[] bytes, int offset, int length) {
    return continueHash(1, bytes, offset, length);
  }

  /** Hash of a longer key, by that of its first bytes. */
  static int continueHash(int hash, byte[] bytes, int offset, int length) {
    int result = hash;
    for (int i = offset; i < offset + length; i++) {
      result = 31 * result + bytes[i];
    }
    return result;
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RecordKey other && hash == other.hash && Arrays.equals(bytes, other.bytes);
  }

  @Override
  public int hashCode() {
    return hash;
  }

  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8).replace('\0', '@');
  }
}
