package io.hudilite.core.base;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.schema.MessageType;

/**
 * The pages of the wanted columns of one row group: compressed in memory, decompressed when they
 * are asked for. Stands in for Parquet's own file reader, which cannot be made without Hadoop's
 * classes. Checksums are compared where the file has them.
 *
 * <p>A column chunk is a sequence of page headers (Thrift) each followed by {@code
 * compressed_page_size} bytes: at most one dictionary page, first, then data pages. Source:
 * parquet.thrift of Parquet's format 2.x.
 */
final class RowGroupPages {
  /** Chunks this close are fetched in one read. */
  private static final int MAX_GAP_BYTES = 1 << 16;

  private static final int MAX_READ_BYTES = 32 << 20;

  private final long rowCount;
  private final Map<ColumnPath, Pages> columns = new HashMap<>();

  private RowGroupPages(long rowCount) {
    this.rowCount = rowCount;
  }

  /** Bytes of a chunk that are read together: a page, a dictionary, or the whole chunk. */
  private record Piece(Pages pages, long start, long length, long firstRow) {
    long end() {
      return start + length;
    }
  }

  /**
   * Reads the pages that have one of the wanted rows.
   *
   * @param indexes where pages are; null to read all
   * @param inParts the top-level columns of which pages may be missing
   */
  static RowGroupPages read(
      FileBytes file,
      BlockMetaData rowGroup,
      MessageType wanted,
      PageCodecs codecs,
      RowRanges rows,
      @Nullable PageIndexes indexes,
      Set<String> inParts)
      throws IOException {
    RowGroupPages pages = new RowGroupPages(rowGroup.getRowCount());
    List<Piece> pieces = new ArrayList<>();
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      if (!wanted.containsPath(chunk.getPath().toArray())) {
        continue;
      }
      Pages ofChunk = new Pages(chunk, codecs.getDecompressor(chunk.getCodec()));
      pages.columns.put(chunk.getPath(), ofChunk);
      OffsetIndex offsets =
          rows.isAll() || indexes == null || !inParts.contains(chunk.getPath().toDotString())
              ? null
              : indexes.offsetsOf(chunk);
      if (offsets == null) {
        pieces.add(new Piece(ofChunk, chunk.getStartingPos(), chunk.getTotalSize(), 0));
      } else {
        addPieces(pieces, ofChunk, chunk, offsets, rows, rowGroup.getRowCount());
      }
    }
    pieces.sort(Comparator.comparingLong(Piece::start));
    int next = 0;
    while (next < pieces.size()) {
      int end = endOfRead(pieces, next);
      long start = pieces.get(next).start;
      ByteBuffer bytes = file.read(start, pieces.get(end - 1).end() - start);
      for (; next < end; next++) {
        Piece piece = pieces.get(next);
        ByteBuffer part = bytes.slice((int) (piece.start - start), (int) piece.length);
        piece.pages.add(part, piece.start, piece.firstRow);
      }
    }
    return pages;
  }

  private static void addPieces(
      List<Piece> pieces,
      Pages pages,
      ColumnChunkMetaData chunk,
      OffsetIndex offsets,
      RowRanges rows,
      long rowCount)
      throws IOException {
    pages.isPart = true;
    long chunkEnd = chunk.getStartingPos() + chunk.getTotalSize();
    if (offsets.getPageCount() > 0 && offsets.getOffset(0) > chunk.getStartingPos()) {
      long length = offsets.getOffset(0) - chunk.getStartingPos();
      pieces.add(new Piece(pages, chunk.getStartingPos(), length, 0));
    }
    for (int i = 0; i < offsets.getPageCount(); i++) {
      long first = offsets.getFirstRowIndex(i);
      long end = i + 1 < offsets.getPageCount() ? offsets.getFirstRowIndex(i + 1) : rowCount;
      long at = offsets.getOffset(i);
      long length = offsets.getCompressedPageSize(i);
      if (first < 0 || end < first || at < chunk.getStartingPos() || length > chunkEnd - at) {
        throw new IOException(
            "The offset index of column %s has page %d with rows %d to %d in %d bytes at byte %d"
                .formatted(chunk.getPath(), i, first, end, length, at));
      }
      if (rows.overlap(first, end)) {
        pieces.add(new Piece(pages, at, length, first));
      }
    }
  }

  /** Index after the last piece that is read together with the one at {@code first}. */
  private static int endOfRead(List<Piece> pieces, int first) throws IOException {
    int last = first;
    long start = pieces.get(first).start;
    while (last + 1 < pieces.size()
        && pieces.get(last + 1).start - pieces.get(last).end() <= MAX_GAP_BYTES
        && pieces.get(last + 1).end() - start <= MAX_READ_BYTES) {
      last++;
      if (pieces.get(last).start < pieces.get(last - 1).end()) {
        throw new IOException(
            "Bytes of columns %s and %s lie over each other, at byte %d"
                .formatted(
                    pieces.get(last - 1).pages.meta.getPath(),
                    pieces.get(last).pages.meta.getPath(),
                    pieces.get(last).start));
      }
    }
    return last + 1;
  }

  /** Rows of the row group, read or not. */
  long rowCount() {
    return rowCount;
  }

  Pages pagesOf(ColumnDescriptor descriptor) {
    Pages pages = columns.get(ColumnPath.get(descriptor.getPath()));
    if (pages == null) {
      throw new IllegalArgumentException("The row group has no column " + descriptor);
    }
    return pages;
  }

  /** A header and the bytes that follow it. */
  private record RawPage(PageHeader header, ByteBuffer bytes, long firstRow, long offset) {
    IOException damaged(ColumnChunkMetaData meta, String how) {
      return new IOException(
          "Column %s: the page at byte %d: %s".formatted(meta.getPath(), offset, how));
    }

    void checkCrc() throws IOException {
      if (header.isSetCrc()) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate());
        if ((int) crc.getValue() != header.getCrc()) {
          throw new IOException(
              "The page of %d bytes at byte %d has checksum %08x, its header says %08x"
                  .formatted(bytes.remaining(), offset, (int) crc.getValue(), header.getCrc()));
        }
      }
    }
  }

  /** The pages of one column, in their order. */
  static final class Pages implements PageReader {
    private final ColumnChunkMetaData meta;
    private final BytesInputDecompressor decompressor;
    private final Queue<RawPage> dataPages = new ArrayDeque<>();
    @Nullable private RawPage dictionary;
    private long valueCount;

    /** Whether some pages are left out. */
    private boolean isPart;

    private Pages(ColumnChunkMetaData meta, BytesInputDecompressor decompressor) {
      this.meta = meta;
      this.decompressor = decompressor;
    }

    /**
     * Adds the pages in some bytes of the chunk.
     *
     * @param start where they are in the file
     * @param firstRow of the first data page, if all values are rows
     */
    private void add(ByteBuffer piece, long start, long firstRow) throws IOException {
      ByteArrayInputStream in =
          new ByteArrayInputStream(piece.array(), piece.arrayOffset(), piece.remaining());
      int size = piece.remaining();
      long row = firstRow;
      while (valueCount < meta.getValueCount() && (in.available() > 0 || !isPart)) {
        int at = size - in.available();
        PageHeader header = Util.readPageHeader(in);
        int length = header.getCompressed_page_size();
        if (length < 0
            || length > in.available()
            || header.getUncompressed_page_size() < 0
            || (meta.getTotalUncompressedSize() > 0
                && header.getUncompressed_page_size() > meta.getTotalUncompressedSize())) {
          throw new IOException(
              "Column %s: a page of %d bytes, %d uncompressed, at byte %d, in a chunk of %d bytes, %d uncompressed"
                  .formatted(
                      meta.getPath(),
                      length,
                      header.getUncompressed_page_size(),
                      start + at,
                      meta.getTotalSize(),
                      meta.getTotalUncompressedSize()));
        }
        row +=
            add(new RawPage(header, piece.slice(size - in.available(), length), row, start + at));
        in.skipNBytes(length);
      }
    }

    /** Values of a data page, which are its rows in columns that are not nested. */
    private int add(RawPage page) throws IOException {
      return switch (page.header.getType()) {
        case DICTIONARY_PAGE -> {
          DictionaryPageHeader head = page.header.getDictionary_page_header();
          if (dictionary != null || head == null) {
            throw page.damaged(meta, "it is a second dictionary, or has no header of one");
          }
          // Room for as many values would be taken; each has a byte at least.
          if (head.getNum_values() < 0
              || head.getNum_values() > page.header.getUncompressed_page_size()) {
            throw page.damaged(
                meta,
                "a dictionary of %d values in %d bytes"
                    .formatted(head.getNum_values(), page.header.getUncompressed_page_size()));
          }
          dictionary = page;
          yield 0;
        }
        case DATA_PAGE ->
            addData(
                page,
                page.header.isSetData_page_header()
                    ? page.header.getData_page_header().getNum_values()
                    : -1);
        case DATA_PAGE_V2 ->
            addData(
                page,
                page.header.isSetData_page_header_v2()
                    ? page.header.getData_page_header_v2().getNum_values()
                    : -1);
        case INDEX_PAGE -> 0; // Holds no values, and no known writer makes it.
      };
    }

    private int addData(RawPage page, int values) throws IOException {
      if (values < 0 || values > meta.getValueCount() - valueCount) {
        throw page.damaged(
            meta, "%d values after %d of %d".formatted(values, valueCount, meta.getValueCount()));
      }
      dataPages.add(page);
      valueCount += values;
      return values;
    }

    /** The row with which the next data page begins, if the column is not nested; -1 at the end. */
    long nextFirstRow() {
      RawPage page = dataPages.peek();
      return page == null ? -1 : page.firstRow;
    }

    @Override
    public long getTotalValueCount() {
      return valueCount;
    }

    @Override
    @Nullable
    public DictionaryPage readDictionaryPage() {
      if (dictionary == null) {
        return null;
      }
      try {
        dictionary.checkCrc();
        PageHeader header = dictionary.header;
        return new DictionaryPage(
            decompressor.decompress(
                BytesInput.from(dictionary.bytes), header.getUncompressed_page_size()),
            header.getDictionary_page_header().getNum_values(),
            encoding(header.getDictionary_page_header().getEncoding()));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    @Nullable
    public DataPage readPage() {
      RawPage page = dataPages.poll();
      if (page == null) {
        return null;
      }
      try {
        page.checkCrc();
        return page.header.getType() == org.apache.parquet.format.PageType.DATA_PAGE
            ? readV1(page)
            : readV2(page);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    private DataPageV1 readV1(RawPage page) throws IOException {
      DataPageHeader data = page.header.getData_page_header();
      int size = page.header.getUncompressed_page_size();
      return new DataPageV1(
          decompressor.decompress(BytesInput.from(page.bytes), size),
          data.getNum_values(),
          size,
          null,
          encoding(data.getRepetition_level_encoding()),
          encoding(data.getDefinition_level_encoding()),
          encoding(data.getEncoding()));
    }

    /** Levels come first and are never compressed. */
    private DataPageV2 readV2(RawPage page) throws IOException {
      DataPageHeaderV2 data = page.header.getData_page_header_v2();
      ByteBuffer bytes = page.bytes;
      int repetition = data.getRepetition_levels_byte_length();
      int definition = data.getDefinition_levels_byte_length();
      int levels = Math.addExact(repetition, definition);
      ByteBuffer values = bytes.slice(levels, bytes.remaining() - levels);
      int size = page.header.getUncompressed_page_size() - levels;
      // Without nulls only an empty page has no bytes of values, which codecs need not take.
      boolean isPlain = !data.isIs_compressed() || values.remaining() == 0;
      return DataPageV2.uncompressed(
          data.getNum_rows(),
          data.getNum_nulls(),
          data.getNum_values(),
          BytesInput.from(bytes.slice(0, repetition)),
          BytesInput.from(bytes.slice(repetition, definition)),
          encoding(data.getEncoding()),
          isPlain
              ? BytesInput.from(values)
              : decompressor.decompress(BytesInput.from(values), size),
          null);
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding)
        throws IOException {
      if (encoding == null) {
        throw new IOException("A page of an encoding that its format does not know");
      }
      return Encoding.valueOf(encoding.name());
    }
  }
}
