package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A set of record keys that may say yes for a key that it does not hold. Not safe for use by
 * several threads while keys are added.
 *
 * <p>Text form, before Base64, integers big-endian. Source: Hudi's SimpleBloomFilter,
 * HoodieDynamicBoundedBloomFilter, InternalDynamicBloomFilter.
 *
 * <pre>
 * SIMPLE   int -1 | int k | byte 1 | int bits | ceil(bits/8) bytes, bit i = byte i/8, mask 1 &lt;&lt; (i%8)
 * DYNAMIC  int -1 | int k | byte 1 | int bits | int N | int keys in the last row | int rows | SIMPLE...
 * </pre>
 */
public final class BloomFilter {
  /** Value of the footer key {@code hoodie_bloom_filter_type_code} of a dynamic filter. */
  static final String DYNAMIC_TYPE = "DYNAMIC_V0";

  /** Most keys that a dynamic filter is made for; Hudi's default. */
  static final int DYNAMIC_MAX_ENTRIES = 100_000;

  private static final int VERSION = -1;
  private static final byte MURMUR = 1;
  private static final int HEADER_BYTES = 13;

  private final boolean dynamic;
  private final int bits;
  private final int hashes;
  private final int entriesPerRow;
  private final int maxEntries;
  private final List<byte[]> rows = new ArrayList<>();
  private final Key key = new Key();

  /** One by {@link #bits}: to multiply is faster than to divide. */
  private final double part;

  private int entriesInRow;
  private int nextFullRow;

  private BloomFilter(boolean dynamic, int bits, int hashes, int entriesPerRow, int maxEntries) {
    this.dynamic = dynamic;
    this.bits = bits;
    this.hashes = hashes;
    this.entriesPerRow = entriesPerRow;
    this.maxEntries = maxEntries;
    this.part = 1.0 / bits;
  }

  /** An empty filter of fixed size. */
  public static BloomFilter simple(int entries, double errorRate) {
    int bits = bitsFor(entries, errorRate);
    BloomFilter filter =
        new BloomFilter(false, bits, hashesFor(bits, entries), Integer.MAX_VALUE, 0);
    filter.addRow();
    return filter;
  }

  /**
   * An empty filter that grows by rows of {@code entries} keys until it holds {@code maxEntries};
   * more keys raise its error rate.
   */
  public static BloomFilter dynamic(int entries, double errorRate, int maxEntries) {
    int bits = bitsFor(entries, errorRate);
    BloomFilter filter = new BloomFilter(true, bits, hashesFor(bits, entries), entries, maxEntries);
    filter.addRow();
    return filter;
  }

  private static int bitsFor(int entries, double errorRate) {
    if (entries < 1) {
      throw new IllegalArgumentException("A bloom filter is for one key or more, got " + entries);
    }
    double bits = Math.ceil(entries * (-Math.log(errorRate) / (Math.log(2) * Math.log(2))));
    if (bits > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(
          "A bloom filter of %d keys and error rate %s needs %.0f bits, more than an int holds"
              .formatted(entries, errorRate, bits));
    }
    return (int) bits;
  }

  private static int hashesFor(int bits, int entries) {
    return (int) Math.ceil(Math.log(2) * bits / entries);
  }

  private void addRow() {
    rows.add(new byte[(int) ((bits + 7L) / 8)]);
    entriesInRow = 0;
  }

  /** Adds a key. */
  public void add(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    add(utf8, 0, utf8.length);
  }

  /** Adds a key given by its UTF-8 bytes. */
  public void add(byte[] utf8, int offset, int length) {
    byte[] row = rowForNextKey();
    key.set(utf8, offset, length);
    int hash = 0;
    for (int i = 0; i < hashes; i++) {
      hash = key.murmur2(hash);
      set(row, bitOf(hash));
    }
  }

  /**
   * Adds keys that lie one behind the other.
   *
   * @param ends where each key ends in {@code utf8}; the first one begins at 0
   */
  void addAll(byte[] utf8, int[] ends, int count) {
    boolean fitsRow = !dynamic || count <= entriesPerRow - entriesInRow;
    KeyBlocks blocks = fitsRow ? new KeyBlocks(rows.get(rows.size() - 1), hashes, bits) : null;
    int start = 0;
    for (int i = 0; i < count; i++) {
      int length = ends[i] - start;
      if (blocks != null && length <= KeyBlocks.LONGEST) {
        blocks.add(utf8, start, length);
        entriesInRow++;
      } else {
        add(utf8, start, length);
      }
      start = ends[i];
    }
    if (blocks != null) {
      blocks.finish();
    }
  }

  private static void set(byte[] row, int bit) {
    row[bit >>> 3] |= (byte) (1 << (bit & 7));
  }

  private int bitOf(int hash) {
    return bitOf(hash, bits, part);
  }

  /**
   * {@code Math.abs(hash % bits)}.
   *
   * @param part one by {@code bits}
   */
  static int bitOf(int hash, int bits, double part) {
    long positive = Math.abs((long) hash);
    int rest =
        (int) (positive - ((long) (positive * part)) * bits); // the quotient may be off by one
    return rest < 0 ? rest + bits : rest >= bits ? rest - bits : rest;
  }

  private byte[] rowForNextKey() {
    if (!dynamic) {
      return rows.get(0);
    }
    if (entriesInRow < entriesPerRow) {
      entriesInRow++;
      return rows.get(rows.size() - 1);
    }
    if ((long) rows.size() * entriesPerRow < maxEntries) {
      addRow();
      entriesInRow = 1;
      return rows.get(rows.size() - 1);
    }
    byte[] row = rows.get(nextFullRow);
    nextFullRow = (nextFullRow + 1) % rows.size();
    return row;
  }

  /** False if the key was never added; true if it was, and in rare cases if it was not. */
  public boolean mightContain(String text) {
    byte[] utf8 = text.getBytes(UTF_8);
    return mightContain(utf8, 0, utf8.length);
  }

  /** The same for a key given by its UTF-8 bytes. */
  public boolean mightContain(byte[] utf8, int offset, int length) {
    Key asked = new Key();
    asked.set(utf8, offset, length);
    for (byte[] row : rows) {
      if (contains(row, asked, hashes, bits)) {
        return true;
      }
    }
    return false;
  }

  private static boolean contains(byte[] row, Key key, int hashes, int bits) {
    int hash = 0;
    for (int i = 0; i < hashes; i++) {
      hash = key.murmur2(hash);
      int bit = Math.abs(hash % bits);
      if ((row[bit >>> 3] & 1 << (bit & 7)) == 0) {
        return false;
      }
    }
    return true;
  }

  /** Memory that it takes, about. */
  public long sizeBytes() {
    return rows.stream().mapToLong(row -> row.length).sum();
  }

  /** The text of the footer. */
  public String serialize() {
    int rowBytes = HEADER_BYTES + rows.get(0).length;
    ByteBuffer out =
        ByteBuffer.allocate(
            Math.addExact(
                dynamic ? HEADER_BYTES + 12 : 0, Math.multiplyExact(rowBytes, rows.size())));
    if (dynamic) {
      putHeader(out);
      out.putInt(entriesPerRow).putInt(entriesInRow).putInt(rows.size());
    }
    for (byte[] row : rows) {
      putHeader(out);
      out.put(row);
    }
    return Base64.getEncoder().encodeToString(out.array());
  }

  private void putHeader(ByteBuffer out) {
    out.putInt(VERSION).putInt(hashes).put(MURMUR).putInt(bits);
  }

  /** Reads the text of a simple filter. */
  public static BloomFilter parseSimple(String text) throws IOException {
    return parse(text, false);
  }

  /** Reads the text of a dynamic filter; keys added to it once it is full get no new rows. */
  public static BloomFilter parseDynamic(String text) throws IOException {
    return parse(text, true);
  }

  private static BloomFilter parse(String text, boolean dynamic) throws IOException {
    try {
      ByteBuffer in = ByteBuffer.wrap(Base64.getDecoder().decode(text));
      Header header = Header.read(in);
      BloomFilter filter;
      int rowCount = 1;
      if (dynamic) {
        int perRow = in.getInt();
        int inRow = in.getInt();
        rowCount = in.getInt();
        if (perRow < 1 || inRow < 0 || rowCount < 1) {
          throw new IOException(
              "Bloom filter: %d keys a row, %d keys in the last, %d rows"
                  .formatted(perRow, inRow, rowCount));
        }
        filter = new BloomFilter(true, header.bits, header.hashes, perRow, 0);
        filter.entriesInRow = inRow;
      } else {
        filter = new BloomFilter(false, header.bits, header.hashes, Integer.MAX_VALUE, 0);
        in.position(0);
      }
      for (int i = 0; i < rowCount; i++) {
        Header rowHeader = Header.read(in);
        int rowBytes = (int) ((header.bits + 7L) / 8);
        if (!rowHeader.equals(header) || rowBytes > in.remaining()) {
          throw new IOException(
              "Bloom filter: row %d is %s with %d bytes, the filter is %s"
                  .formatted(i, rowHeader, in.remaining(), header));
        }
        byte[] row = new byte[rowBytes];
        in.get(row);
        filter.rows.add(row);
      }
      return filter;
    } catch (IllegalArgumentException | BufferUnderflowException e) {
      throw new IOException("Bloom filter: damaged, " + text.length() + " characters", e);
    }
  }

  private record Header(int hashes, int bits) {
    static Header read(ByteBuffer in) throws IOException {
      int version = in.getInt();
      int hashes = in.getInt();
      byte hashType = in.get();
      int bits = in.getInt();
      if (version != VERSION || hashType != MURMUR || hashes < 1 || bits < 1) {
        throw new IOException(
            "Bloom filter: version %d, %d hashes of type %d, %d bits; known is version -1, type 1"
                .formatted(version, hashes, hashType, bits));
      }
      return new Header(hashes, bits);
    }
  }

  /** The hash of {@link Key} for one seed. */
  static int murmur2(byte[] data, int offset, int length, int seed) {
    Key key = new Key();
    key.set(data, offset, length);
    return key.murmur2(seed);
  }

  /**
   * A key made ready to be hashed with many seeds: what does not depend on the seed is done once.
   *
   * <p>The hash is MurmurHash 2 with the tail as Hadoop's MurmurHash has it: signed bytes, the last
   * byte lowest. Source: org.apache.hadoop.util.hash.MurmurHash as Hudi copied it.
   */
  static final class Key {
    private static final VarHandle INT =
        MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int M = 0x5bd1e995;

    private int[] words = new int[16];
    private int wordCount;
    private int length;
    private int tail;

    void set(byte[] data, int offset, int newLength) {
      length = newLength;
      wordCount = newLength >>> 2;
      if (words.length < wordCount) {
        words = new int[wordCount * 2];
      }
      for (int i = 0; i < wordCount; i++) {
        words[i] = wordOf((int) INT.get(data, offset + 4 * i));
      }
      tail = tailOf(data, offset + newLength, newLength & 3);
    }

    /** Of four bytes. */
    static int wordOf(int word) {
      int mixed = word * M;
      return (mixed ^ mixed >>> 24) * M;
    }

    /** Of the last bytes of a key, 0 to 3. */
    static int tailOf(byte[] data, int end, int left) {
      int tail = left >= 1 ? data[end - 1] : 0;
      tail ^= left >= 2 ? data[end - 2] << 8 : 0;
      tail ^= left >= 3 ? data[end - 3] << 16 : 0;
      return tail;
    }

    int murmur2(int seed) {
      int hash = seed ^ length;
      for (int i = 0; i < wordCount; i++) {
        hash = hash * M ^ words[i];
      }
      if ((length & 3) != 0) {
        hash = (hash ^ tail) * M;
      }
      hash = (hash ^ hash >>> 13) * M;
      return hash ^ hash >>> 15;
    }
  }
}
