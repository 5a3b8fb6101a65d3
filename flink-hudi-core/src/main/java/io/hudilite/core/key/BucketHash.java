package io.hudilite.core.key;

import io.hudilite.core.file.FileId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The simple bucket index: the text of a record key tells the bucket of its row, and each partition
 * has one file group per bucket. Makes no objects per key; safe for use by several threads. Source:
 * Hudi 1.0.2 BucketIdentifier and KeyGenUtils.extractRecordKeysByFields.
 */
public final class BucketHash {
  private static final int PREFIX_LENGTH = 8;
  private static final byte[] NULL_BYTES = KeyExtractor.NULL_VALUE.getBytes(StandardCharsets.UTF_8);
  private static final byte[] EMPTY_BYTES =
      KeyExtractor.EMPTY_VALUE.getBytes(StandardCharsets.UTF_8);

  private final byte[][] fields;
  private final int buckets;

  /**
   * @param fields the key columns that count
   * @param buckets of each partition, 1 or more
   */
  public BucketHash(List<String> fields, int buckets) {
    this(
        fields.stream().map(f -> f.getBytes(StandardCharsets.UTF_8)).toArray(byte[][]::new),
        buckets);
  }

  private BucketHash(byte[][] fields, int buckets) {
    if (buckets < 1 || fields.length == 0) {
      throw new IllegalArgumentException(
          "%d buckets by %d key columns".formatted(buckets, fields.length));
    }
    this.fields = fields;
    this.buckets = buckets;
  }

  /** How many there are. */
  public int buckets() {
    return buckets;
  }

  /** The same hash with another number. */
  public BucketHash withBuckets(int other) {
    return new BucketHash(fields, other);
  }

  /**
   * The bucket of a record key.
   *
   * @param key array that holds the key in UTF-8
   */
  public int bucketOf(byte[] key, int offset, int length) {
    return (hash(key, offset, offset + length) & Integer.MAX_VALUE) % buckets;
  }

  /** The hash code of the list of the values that count, as Java defines it. */
  private int hash(byte[] key, int from, int to) {
    if (indexOf(key, ',', from, to) < 0 || indexOf(key, ':', from, to) < 0) {
      return 31 + textHash(key, from, to);
    }
    int hash = 1;
    int at = from;
    while (at < to) {
      int colon = indexOf(key, ':', at, to);
      if (colon < 0) {
        break;
      }
      int end = endOfValue(key, colon, to);
      if (counts(key, at, colon)) {
        hash = 31 * hash + valueHash(key, colon + 1, end);
      }
      at = end + 1;
    }
    return hash;
  }

  /** A value ends at the last comma before the colon of the next field: it may hold both. */
  private static int endOfValue(byte[] key, int colon, int to) {
    int next = colon;
    while (true) {
      next = indexOf(key, ':', next + 1, to);
      if (next < 0) {
        return to;
      }
      for (int i = next - 1; i > colon; i--) {
        if (key[i] == ',') {
          return i;
        }
      }
    }
  }

  private boolean counts(byte[] key, int from, int to) {
    for (byte[] field : fields) {
      if (isAt(field, key, from, to)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(byte[] text, byte[] key, int from, int to) {
    return java.util.Arrays.equals(text, 0, text.length, key, from, to);
  }

  private static int valueHash(byte[] key, int from, int to) {
    return isAt(NULL_BYTES, key, from, to) || isAt(EMPTY_BYTES, key, from, to)
        ? 0
        : textHash(key, from, to);
  }

  /** {@link String#hashCode()} of UTF-8, which counts UTF-16 units. */
  private static int textHash(byte[] key, int from, int to) {
    int hash = 0;
    for (int i = from; i < to; i++) {
      byte unit = key[i];
      if (unit < 0) {
        return new String(key, from, to - from, StandardCharsets.UTF_8).hashCode();
      }
      hash = 31 * hash + unit;
    }
    return hash;
  }

  private static int indexOf(byte[] key, char wanted, int from, int to) {
    for (int i = from; i < to; i++) {
      if (key[i] == wanted) {
        return i;
      }
    }
    return -1;
  }

  /** The bucket of a file group; empty if its id has another form. */
  public static OptionalInt bucketOf(FileId id) {
    String text = id.value();
    if (text.length() <= PREFIX_LENGTH
        || text.charAt(PREFIX_LENGTH) != '-'
        || !text.substring(0, PREFIX_LENGTH).chars().allMatch(c -> c >= '0' && c <= '9')) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Integer.parseInt(text.substring(0, PREFIX_LENGTH)));
  }

  /**
   * The id of a bucket's file group: the same each time, so that a second attempt and a second
   * writer name the same group.
   *
   * @param generation 0, or how many groups of this bucket were replaced before
   */
  public static FileId fileId(String partitionPath, int bucket, int generation) {
    String rest =
        UUID.nameUUIDFromBytes(
                (partitionPath + '\0' + bucket + '\0' + generation)
                    .getBytes(StandardCharsets.UTF_8))
            .toString()
            .substring(PREFIX_LENGTH);
    return new FileId("%08d%s-0".formatted(bucket, rest));
  }
}
