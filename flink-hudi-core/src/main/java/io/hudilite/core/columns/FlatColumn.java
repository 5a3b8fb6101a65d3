package io.hudilite.core.columns;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageWriter;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.io.api.Binary;

/**
 * One column of a row group, which is not nested: repetition and definition levels are not looked
 * at. Pages are those of Parquet's format version 1. Not safe for use by several threads.
 *
 * <p>Values are numbered by a dictionary as long as that is worth it: columns whose first values do
 * not repeat give theirs up, and so do those for whose values it becomes too large; pages that are
 * written by then keep it.
 */
@SuppressWarnings("deprecation") // Encodings of pages of version 1
public abstract class FlatColumn implements ColumnWriter {
  private final ColumnDescriptor descriptor;
  private final PageWriter pages;
  private final PageLimits limits;
  private final boolean isOptional;

  /** Null if the column has none, or gave it up before a page needed it. */
  @Nullable private ValueDictionary dictionary;

  /** Whether values get their numbers in the dictionary. */
  private boolean isIndexed;

  private boolean isDictionaryUsed;

  /** Numbers of the page's values, as many as {@link #idCount}. */
  private int[] ids = new int[64];

  private int idCount;

  /** Values of the page, if they are not numbered. */
  private final PageBytes values = new PageBytes();

  /** Null as long as nothing is null in the page. */
  @Nullable private RunLengthBitPackingHybridEncoder levels;

  private int rows;
  private int nulls;

  /** Values of the column that were numbered. */
  private int indexed;

  FlatColumn(
      ColumnDescriptor descriptor,
      PageWriter pages,
      PageLimits limits,
      @Nullable ValueDictionary dictionary) {
    this.descriptor = descriptor;
    this.pages = pages;
    this.limits = limits;
    this.isOptional = descriptor.getMaxDefinitionLevel() > 0;
    this.dictionary = dictionary;
    this.isIndexed = dictionary != null;
  }

  /** Tells the smallest and the greatest of the values in a page that are not numbered. */
  abstract void tell(PageBytes page, int count, Statistics<?> statistics);

  /** The same of numbered ones: those whose number is set. */
  abstract void tell(boolean[] isPresent, Statistics<?> statistics);

  final boolean isIndexed() {
    return isIndexed;
  }

  /** Where a value is put down that is not numbered. */
  final PageBytes values() {
    return values;
  }

  /** Puts down the number of a value. */
  final void addIndexed(int id) {
    if (idCount == ids.length) {
      ids = Arrays.copyOf(ids, 2 * idCount);
    }
    ids[idCount++] = id;
    indexed++;
    boolean isTooLarge = dictionary.bytes() > limits.dictionaryBytes();
    if (isTooLarge
        || (indexed == limits.sampleValues() && !limits.repeats(indexed, dictionary.size()))) {
      giveUpDictionary();
    }
  }

  private void giveUpDictionary() {
    isIndexed = false;
    for (int i = 0; i < idCount; i++) {
      dictionary.addTo(values, ids[i]);
    }
    idCount = 0;
    ids = new int[0];
    if (!isDictionaryUsed) {
      dictionary = null;
    }
  }

  /** A value was put down. */
  final void endValue() {
    if (levels != null) {
      addLevel(1);
    }
    endRow();
  }

  @Override
  public final void writeNull(int repetition, int definition) {
    if (!isOptional) {
      throw new IllegalStateException("Null in column " + descriptor);
    }
    if (levels == null) {
      levels = newEncoder(1);
      for (int i = 0; i < rows; i++) {
        addLevel(1);
      }
    }
    addLevel(0);
    nulls++;
    endRow();
  }

  private RunLengthBitPackingHybridEncoder newEncoder(int bits) {
    return new RunLengthBitPackingHybridEncoder(
        bits, 64, Math.max(64, limits.bytes()), limits.allocator());
  }

  private void addLevel(int level) {
    try {
      levels.writeInt(level);
    } catch (IOException e) {
      throw new UncheckedIOException("Levels of column " + descriptor, e);
    }
  }

  private void endRow() {
    if (++rows >= limits.rows() || pageBytes() >= limits.bytes()) {
      endPage();
    }
  }

  private long pageBytes() {
    return values.size() + (long) Integer.BYTES * idCount;
  }

  /** Ends the column: nothing is written to it any more. */
  final void finish() {
    if (rows > 0) {
      endPage();
    }
    if (isDictionaryUsed) {
      try {
        pages.writeDictionaryPage(
            new DictionaryPage(dictionary.toPage(), dictionary.size(), Encoding.PLAIN_DICTIONARY));
      } catch (IOException e) {
        throw new UncheckedIOException("Dictionary of column " + descriptor, e);
      }
    }
  }

  private void endPage() {
    try {
      Statistics<?> statistics = Statistics.createStats(descriptor.getPrimitiveType());
      statistics.incrementNumNulls(nulls);
      BytesInput indexes = isIndexed ? indexes() : null;
      if (indexes != null) {
        isDictionaryUsed = true;
        boolean[] isPresent = new boolean[dictionary.size()];
        for (int i = 0; i < idCount; i++) {
          isPresent[ids[i]] = true;
        }
        tell(isPresent, statistics);
      } else if (rows > nulls) {
        tell(values, rows - nulls, statistics);
      }
      pages.writePage(
          BytesInput.concat(definitionLevels(), indexes != null ? indexes : values.toInput()),
          rows,
          rows,
          statistics,
          Encoding.BIT_PACKED,
          isOptional ? Encoding.RLE : Encoding.BIT_PACKED,
          indexes != null ? Encoding.PLAIN_DICTIONARY : Encoding.PLAIN);
    } catch (IOException e) {
      throw new UncheckedIOException("Page of column " + descriptor, e);
    }
    rows = 0;
    nulls = 0;
    idCount = 0;
    values.clear();
    levels = null;
  }

  /**
   * The numbers of the page's values, behind a byte with their bits; null if there are no values
   * yet, since an empty dictionary would be nothing to rely on, or if the first page shows that the
   * dictionary is not worth it, which is given up then.
   */
  @Nullable
  private BytesInput indexes() throws IOException {
    if (dictionary.size() == 0) {
      return null;
    }
    int bits = BytesUtils.getWidthFromMaxInt(dictionary.size() - 1);
    RunLengthBitPackingHybridEncoder encoder = newEncoder(bits);
    for (int i = 0; i < idCount; i++) {
      encoder.writeInt(ids[i]);
    }
    BytesInput encoded = encoder.toBytes();
    if (!isDictionaryUsed) {
      long plainBytes = 0;
      for (int i = 0; i < idCount; i++) {
        plainBytes += dictionary.bytesOf(ids[i]);
      }
      if (encoded.size() + dictionary.bytes() >= plainBytes
          || !limits.repeats(indexed, dictionary.size())) {
        giveUpDictionary();
        return null;
      }
    }
    return BytesInput.concat(BytesInput.from(new byte[] {(byte) bits}), encoded);
  }

  private BytesInput definitionLevels() throws IOException {
    if (!isOptional) {
      return BytesInput.empty();
    }
    BytesInput encoded;
    if (levels != null) {
      encoded = levels.toBytes();
    } else {
      PageBytes run = new PageBytes();
      run.addUnsignedVarInt(rows << 1);
      run.addByte(1);
      encoded = run.toInput();
    }
    return BytesInput.concat(BytesInput.fromInt((int) encoded.size()), encoded);
  }

  /** A text or bytes; the array may be used again after the call. */
  public void write(byte[] bytes, int offset, int length) {
    throw other("bytes");
  }

  @Override
  public void write(int value, int repetition, int definition) {
    throw other("an int");
  }

  @Override
  public void write(long value, int repetition, int definition) {
    throw other("a long");
  }

  @Override
  public void write(boolean value, int repetition, int definition) {
    throw other("a boolean");
  }

  @Override
  public void write(Binary value, int repetition, int definition) {
    throw other("bytes");
  }

  @Override
  public void write(float value, int repetition, int definition) {
    throw other("a float");
  }

  @Override
  public void write(double value, int repetition, int definition) {
    throw other("a double");
  }

  private IllegalStateException other(String kind) {
    return new IllegalStateException("Column " + descriptor + " does not hold " + kind);
  }

  @Override
  public final void close() {
    // Nothing but the heap is held.
  }

  @Override
  public final long getBufferedSizeInMemory() {
    return pages.getMemSize() + pageBytes() + (dictionary == null ? 0 : dictionary.bytes());
  }
}
