package io.hudilite.core.base;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;

/**
 * The pages of a top-level column of a primitive type, one after the other: which of their rows are
 * null, and where the values lie. Definition levels are 0 and 1 here.
 */
final class FlatPages {
  private final ColumnDescriptor descriptor;
  private final boolean nullable;
  private final boolean readsPlain;
  private RowGroupPages.Pages pages;
  @Nullable private Dictionary dictionary;
  private int left;

  /** Rows that are there as 1; null if all of the page are. */
  @Nullable private HybridRuns levels;

  /** The same in an encoding that is no longer written. */
  @Nullable private ValuesReader oldLevels;

  /** Whether {@link #oldLevel} was read ahead. */
  private boolean oldLevelIsNext;

  private boolean oldLevel;
  private boolean oldPresent;

  /** Bytes of a page of PLAIN values, else null; what is left of them begins at plainAt. */
  @Nullable private byte[] plain;

  private int plainAt;
  private int plainEnd;

  /** Ids of the dictionary, else null. */
  @Nullable private HybridRuns ids;

  /** Values of a page of another encoding, else null. */
  @Nullable private ValuesReader values;

  /**
   * @param readsPlain whether PLAIN values are taken from {@link #plain}
   */
  FlatPages(ColumnDescriptor descriptor, boolean readsPlain) {
    this.descriptor = descriptor;
    this.nullable = descriptor.getMaxDefinitionLevel() > 0;
    this.readsPlain = readsPlain;
  }

  /** Goes to the begin of a row group; its dictionary, or null. */
  @Nullable
  Dictionary start(RowGroupPages store) throws IOException {
    pages = store.pagesOf(descriptor);
    left = 0;
    DictionaryPage page = pages.readDictionaryPage();
    dictionary = page == null ? null : page.decode(descriptor);
    return dictionary;
  }

  /** Rows that are left in the current page. */
  int left() {
    return left;
  }

  /** Steps over rows of the current page, which were read. */
  void done(int rows) {
    left -= rows;
  }

  /** Whether all rows of the current page have values. */
  boolean hasNoNulls() {
    return levels == null && oldLevels == null;
  }

  /** How many rows come that all are null or all are not, {@code max} at most. */
  int nextEqual(int max) {
    if (levels != null) {
      return levels.nextEqual(max);
    }
    boolean present = oldLevelIsNext ? oldLevel : oldLevels.readInteger() > 0;
    int count = 1;
    oldLevelIsNext = false;
    boolean next = present;
    while (count < max) {
      next = oldLevels.readInteger() > 0;
      if (next != present) {
        oldLevelIsNext = true;
        break;
      }
      count++;
    }
    oldLevel = next;
    oldPresent = present;
    return count;
  }

  /** Whether the rows of {@link #nextEqual} have values. */
  boolean arePresent() {
    return levels != null ? levels.value() > 0 : oldPresent;
  }

  /** The page's bytes if its values are PLAIN. */
  @Nullable
  byte[] plain() {
    return plain;
  }

  /** Ids of the dictionary if that is how the page's values are given. */
  @Nullable
  HybridRuns ids() {
    return ids;
  }

  /** The values of a page of any other encoding. */
  ValuesReader values() {
    return values;
  }

  /** Steps over bytes of a PLAIN page, after a check that the page has them. */
  int takePlain(long bytes) {
    if (bytes < 0 || bytes > plainEnd - plainAt) {
      throw new ParquetDecodingException(
          "Column %s: %d bytes are wanted, but %d are left in the page"
              .formatted(descriptor, bytes, plainEnd - plainAt));
    }
    int at = plainAt;
    plainAt += (int) bytes;
    return at;
  }

  /**
   * Goes to the next page, also from within one.
   *
   * @return the row in its row group with which the page begins
   */
  long next() throws IOException {
    long firstRow = pages.nextFirstRow();
    DataPage page = pages.readPage();
    if (page == null) {
      throw new IOException("Column %s: a page is missing".formatted(descriptor));
    }
    levels = null;
    oldLevels = null;
    try {
      if (page instanceof DataPageV1 v1) {
        start(v1);
      } else if (page instanceof DataPageV2 v2) {
        start(v2);
      }
    } catch (UncheckedIOException e) {
      throw new IOException("Column " + descriptor, e.getCause());
    }
    return firstRow;
  }

  private void start(DataPageV1 page) throws IOException {
    int count = page.getValueCount();
    ByteBufferInputStream in = page.getBytes().toInputStream();
    if (nullable) {
      if (page.getDlEncoding() == Encoding.RLE) {
        int length = in.slice(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).getInt();
        startLevels(in.slice(length), count);
      } else {
        oldLevels = page.getDlEncoding().getValuesReader(descriptor, ValuesType.DEFINITION_LEVEL);
        oldLevels.initFromPage(count, in);
        oldLevelIsNext = false;
      }
    }
    startValues(page.getValueEncoding(), in, count);
  }

  private void start(DataPageV2 page) throws IOException {
    if (nullable) {
      startLevels(page.getDefinitionLevels().toByteBuffer(), page.getValueCount());
    }
    startValues(page.getDataEncoding(), page.getData().toInputStream(), page.getValueCount());
  }

  /** Most pages have no nulls: then they are one run, and nothing is asked for each row. */
  private void startLevels(ByteBuffer in, int count) {
    HybridRuns runs = new HybridRuns(in.duplicate(), 1);
    boolean allPresent = count == 0 || (runs.nextEqual(count) == count && runs.value() > 0);
    levels = allPresent ? null : new HybridRuns(in, 1);
  }

  private void startValues(Encoding encoding, ByteBufferInputStream in, int count)
      throws IOException {
    left = count;
    plain = null;
    ids = null;
    values = null;
    if (encoding == Encoding.PLAIN && readsPlain) {
      ByteBuffer bytes = in.slice(in.available());
      if (bytes.hasArray()) {
        plain = bytes.array();
        plainAt = bytes.arrayOffset() + bytes.position();
        plainEnd = bytes.arrayOffset() + bytes.limit();
      } else {
        plain = new byte[bytes.remaining()];
        bytes.get(plain);
        plainAt = 0;
        plainEnd = plain.length;
      }
    } else if (encoding.usesDictionary()) {
      if (dictionary == null) {
        throw new IOException("Column %s: no dictionary".formatted(descriptor));
      }
      // A page of nulls alone may have no bytes at all, not even the width of an id.
      ByteBuffer bytes = in.slice(in.available());
      ids = new HybridRuns(bytes, bytes.hasRemaining() ? bytes.get() : 0);
    } else {
      values = encoding.getValuesReader(descriptor, ValuesType.VALUES);
      checkDeltaHeader(encoding, in, count);
      values.initFromPage(count, in);
    }
  }

  /** Parquet's readers of DELTA encodings take memory for as many values as the bytes state. */
  private void checkDeltaHeader(Encoding encoding, ByteBufferInputStream in, int count)
      throws IOException {
    boolean isDelta =
        encoding == Encoding.DELTA_BINARY_PACKED
            || encoding == Encoding.DELTA_LENGTH_BYTE_ARRAY
            || encoding == Encoding.DELTA_BYTE_ARRAY;
    if (!isDelta || in.available() == 0) {
      return;
    }
    in.mark(Integer.MAX_VALUE);
    long blockSize = Integer.toUnsignedLong(BytesUtils.readUnsignedVarInt(in));
    BytesUtils.readUnsignedVarInt(in);
    long total = Integer.toUnsignedLong(BytesUtils.readUnsignedVarInt(in));
    in.reset();
    if (total > count || blockSize > 1 << 16) {
      throw new IOException(
          "Column %s: %d values in blocks of %d are stated in a page of %d"
              .formatted(descriptor, total, blockSize, count));
    }
  }
}
