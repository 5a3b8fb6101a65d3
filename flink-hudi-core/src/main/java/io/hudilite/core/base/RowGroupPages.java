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
import java.util.Optional;
import java.util.Queue;
import java.util.zip.CRC32;
import javax.annotation.Nullable;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputDecompressor;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
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
final class RowGroupPages implements PageReadStore {
  /** Chunks this close are fetched in one read. */
  private static final int MAX_GAP_BYTES = 1 << 16;

  private static final int MAX_READ_BYTES = 32 << 20;

  private final long rowCount;
  private final Map<ColumnPath, Pages> columns = new HashMap<>();

  private RowGroupPages(long rowCount) {
    this.rowCount = rowCount;
  }

  static RowGroupPages read(
      FileBytes file, BlockMetaData rowGroup, MessageType wanted, PageCodecs codecs)
      throws IOException {
    RowGroupPages pages = new RowGroupPages(rowGroup.getRowCount());
    List<ColumnChunkMetaData> chunks = new ArrayList<>();
    for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
      if (wanted.containsPath(chunk.getPath().toArray())) {
        chunks.add(chunk);
      }
    }
    chunks.sort(Comparator.comparingLong(ColumnChunkMetaData::getStartingPos));
    int next = 0;
    while (next < chunks.size()) {
      int end = endOfRead(chunks, next);
      long start = chunks.get(next).getStartingPos();
      ByteBuffer bytes = file.read(start, endOf(chunks.get(end - 1)) - start);
      for (; next < end; next++) {
        ColumnChunkMetaData chunk = chunks.get(next);
        ByteBuffer part =
            bytes.slice((int) (chunk.getStartingPos() - start), (int) chunk.getTotalSize());
        pages.columns.put(
            chunk.getPath(), new Pages(part, chunk, codecs.getDecompressor(chunk.getCodec())));
      }
    }
    return pages;
  }

  private static long endOf(ColumnChunkMetaData chunk) {
    return chunk.getStartingPos() + chunk.getTotalSize();
  }

  /** Index after the last chunk that is read together with the one at {@code first}. */
  private static int endOfRead(List<ColumnChunkMetaData> chunks, int first) throws IOException {
    int last = first;
    long start = chunks.get(first).getStartingPos();
    while (last + 1 < chunks.size()
        && chunks.get(last + 1).getStartingPos() - endOf(chunks.get(last)) <= MAX_GAP_BYTES
        && endOf(chunks.get(last + 1)) - start <= MAX_READ_BYTES) {
      last++;
      if (chunks.get(last).getStartingPos() < endOf(chunks.get(last - 1))) {
        throw new IOException(
            "Column chunks %s and %s lie over each other"
                .formatted(chunks.get(last - 1).getPath(), chunks.get(last).getPath()));
      }
    }
    return last + 1;
  }

  @Override
  public PageReader getPageReader(ColumnDescriptor descriptor) {
    Pages pages = columns.get(ColumnPath.get(descriptor.getPath()));
    if (pages == null) {
      throw new IllegalArgumentException("The row group has no column " + descriptor);
    }
    return pages;
  }

  @Override
  public long getRowCount() {
    return rowCount;
  }

  @Override
  public Optional<Long> getRowIndexOffset() {
    return Optional.empty();
  }

  /** A header and the bytes that follow it. */
  private record RawPage(PageHeader header, ByteBuffer bytes) {
    void checkCrc() throws IOException {
      if (header.isSetCrc()) {
        CRC32 crc = new CRC32();
        crc.update(bytes.duplicate());
        if ((int) crc.getValue() != header.getCrc()) {
          throw new IOException(
              "A page of %d bytes has checksum %08x, its header says %08x"
                  .formatted(bytes.remaining(), (int) crc.getValue(), header.getCrc()));
        }
      }
    }
  }

  private static final class Pages implements PageReader {
    private final BytesInputDecompressor decompressor;
    private final Queue<RawPage> dataPages = new ArrayDeque<>();
    @Nullable private RawPage dictionary;
    private long valueCount;

    Pages(ByteBuffer chunk, ColumnChunkMetaData meta, BytesInputDecompressor decompressor)
        throws IOException {
      this.decompressor = decompressor;
      ByteArrayInputStream in =
          new ByteArrayInputStream(chunk.array(), chunk.arrayOffset(), chunk.remaining());
      int size = chunk.remaining();
      while (valueCount < meta.getValueCount()) {
        PageHeader header = Util.readPageHeader(in);
        int length = header.getCompressed_page_size();
        if (length < 0 || length > in.available() || header.getUncompressed_page_size() < 0) {
          throw new IOException(
              "Column %s: a page of %d bytes, %d uncompressed, at byte %d of a chunk of %d"
                  .formatted(
                      meta.getPath(),
                      length,
                      header.getUncompressed_page_size(),
                      size - in.available(),
                      size));
        }
        add(new RawPage(header, chunk.slice(size - in.available(), length)), meta);
        in.skipNBytes(length);
      }
    }

    private void add(RawPage page, ColumnChunkMetaData meta) throws IOException {
      switch (page.header.getType()) {
        case DICTIONARY_PAGE -> {
          if (dictionary != null) {
            throw new IOException("Column %s: two dictionaries".formatted(meta.getPath()));
          }
          dictionary = page;
        }
        case DATA_PAGE -> addData(page, page.header.getData_page_header().getNum_values());
        case DATA_PAGE_V2 -> addData(page, page.header.getData_page_header_v2().getNum_values());
        case INDEX_PAGE -> {
          // Holds no values, and no known writer makes it.
        }
      }
    }

    private void addData(RawPage page, int values) throws IOException {
      if (values < 0) {
        throw new IOException("A page of %d values".formatted(values));
      }
      dataPages.add(page);
      valueCount += values;
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
