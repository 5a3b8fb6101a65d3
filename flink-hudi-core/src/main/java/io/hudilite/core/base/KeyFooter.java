package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * Collects the record keys of a file for its footer: the smallest, the greatest, and the bloom
 * filter. The filter is sized to the keys that came, so that a small file has a small footer; past
 * {@link #MAX_BUFFERED_BYTES} of keys it grows by further rows of equal size.
 */
final class KeyFooter {
  static final String BLOOM_FILTER = "org.apache.hudi.bloomfilter";
  static final String BLOOM_FILTER_TYPE = "hoodie_bloom_filter_type_code";
  static final String MIN_KEY = "hoodie_min_record_key";
  static final String MAX_KEY = "hoodie_max_record_key";

  private static final int MAX_BUFFERED_BYTES = 64 << 20;

  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** Bits that no byte of a character of one byte has. */
  private static final long NOT_ASCII = 0x8080808080808080L;

  private final double errorRate;
  private byte[] keys = new byte[1 << 12];
  private int[] ends = new int[1 << 7];
  private int count;
  @Nullable private BloomFilter filter;
  @Nullable private byte[] min;
  @Nullable private byte[] max;
  private long minStart;
  private long maxStart;

  KeyFooter(double errorRate) {
    this.errorRate = errorRate;
  }

  /** Adds a key; its array may be used again after the call. */
  void add(byte[] array, int offset, int length) {
    long start8 = start(array, offset, length);
    if (min == null || (mayBeLess(start8, minStart) && compare(array, offset, length, min) < 0)) {
      min = Arrays.copyOfRange(array, offset, offset + length);
      minStart = start8;
    }
    if (max == null || (mayBeLess(maxStart, start8) && compare(array, offset, length, max) > 0)) {
      max = Arrays.copyOfRange(array, offset, offset + length);
      maxStart = start8;
    }
    if (filter != null) {
      filter.add(array, offset, length);
      return;
    }
    int start = count == 0 ? 0 : ends[count - 1];
    if (length > MAX_BUFFERED_BYTES - start) {
      filter = buildFilter();
      filter.add(array, offset, length);
      keys = new byte[0];
      ends = new int[0];
      return;
    }
    int end = start + length;
    if (end > keys.length) {
      keys = Arrays.copyOf(keys, Math.max(end, keys.length * 2));
    }
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, count * 2);
    }
    System.arraycopy(array, offset, keys, start, length);
    ends[count++] = end;
  }

  /** The first eight bytes, the first one highest; zeros behind the end. */
  private static long start(byte[] array, int offset, int length) {
    if (offset + Long.BYTES > array.length) {
      long start = 0;
      for (int i = 0; i < Math.min(length, Long.BYTES); i++) {
        start |= (array[offset + i] & 0xffL) << (56 - 8 * i);
      }
      return start;
    }
    long start = (long) LONG.get(array, offset);
    return length >= Long.BYTES ? start : length == 0 ? 0 : start & -1L << (64 - 8 * length);
  }

  /** False if a key that starts so is not before another one, as is told without looking at all. */
  private static boolean mayBeLess(long left, long right) {
    return ((left | right) & NOT_ASCII) != 0 || left <= right;
  }

  private BloomFilter buildFilter() {
    BloomFilter built =
        BloomFilter.dynamic(
            Math.max(1, count),
            errorRate,
            count == 0 ? BloomFilter.DYNAMIC_MAX_ENTRIES : Integer.MAX_VALUE);
    built.addAll(keys, ends, count);
    return built;
  }

  Optional<String> minKey() {
    return Optional.ofNullable(min).map(utf8 -> new String(utf8, UTF_8));
  }

  Optional<String> maxKey() {
    return Optional.ofNullable(max).map(utf8 -> new String(utf8, UTF_8));
  }

  void addTo(Map<String, String> footer) {
    BloomFilter complete = filter == null ? buildFilter() : filter;
    footer.put(BLOOM_FILTER, complete.serialize());
    footer.put(BLOOM_FILTER_TYPE, BloomFilter.DYNAMIC_TYPE);
    minKey().ifPresent(key -> footer.put(MIN_KEY, key));
    maxKey().ifPresent(key -> footer.put(MAX_KEY, key));
  }

  /**
   * Order of {@link String#compareTo} on the UTF-8 bytes. It is the order of the bytes but for
   * characters of four bytes (first byte F0 and up): their surrogates (D800 to DFFF) come before
   * the characters E000 to FFFF (first bytes EE and EF).
   */
  static int compare(byte[] left, byte[] right) {
    return compare(left, 0, left.length, right);
  }

  private static int compare(byte[] left, int offset, int length, byte[] right) {
    int at = Arrays.mismatch(left, offset, offset + length, right, 0, right.length);
    if (at < 0) {
      return 0;
    }
    if (at == length || at == right.length) {
      return length - right.length;
    }
    return rank(left[offset + at]) - rank(right[at]);
  }

  private static int rank(byte utf8) {
    int unsigned = utf8 & 0xff;
    return unsigned == 0xee || unsigned == 0xef ? unsigned + 0x100 : unsigned;
  }
}
