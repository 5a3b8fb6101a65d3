package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;

/**
 * The footer of a Parquet file. The bloom filter of the record keys is among its key-values and
 * takes megabytes where there are many keys, while few readers ask for it: of a large footer it is
 * left in the file until then. Not safe for use by several threads.
 */
final class FileFooter {
  private static final byte[] MAGIC = "PAR1".getBytes(US_ASCII);
  private static final int END_BYTES = Integer.BYTES + MAGIC.length;
  private static final int MIN_BYTES = MAGIC.length + END_BYTES;

  /** What is read of a large footer to find the filter: columns and row groups come before it. */
  private static final int HEAD_BYTES = 1 << 16;

  /** Footers up to this size are read as they are: two reads of pieces take as long. */
  private static final int SMALL_BYTES = 2 * HEAD_BYTES;

  private final FileBytes file;
  private final ParquetMetadata metadata;

  /** Where the filter was left; null if it is in the metadata or nowhere. */
  @Nullable private final FooterScan.Place filter;

  private FileFooter(FileBytes file, ParquetMetadata metadata, @Nullable FooterScan.Place filter) {
    this.file = file;
    this.metadata = metadata;
    this.filter = filter;
  }

  /**
   * Reads the footer: the end of a file is the footer, its length as a little-endian int, and a
   * magic. Source: parquet-format.
   *
   * @param withFilter whether the bloom filter will be asked for
   */
  static FileFooter read(FileBytes file, boolean withFilter) throws IOException {
    if (file.length() < MIN_BYTES) {
      throw new IOException("%d bytes are too few for a Parquet file".formatted(file.length()));
    }
    ByteBuffer end = file.read(file.length() - END_BYTES, END_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    long length = Integer.toUnsignedLong(end.getInt());
    byte[] magic = new byte[MAGIC.length];
    end.get(magic);
    if (!Arrays.equals(magic, MAGIC)) {
      throw new IOException(
          "it ends with %s, not with PAR1".formatted(HexFormat.of().formatHex(magic)));
    }
    long start = file.length() - END_BYTES - length;
    if (length > SMALL_BYTES && !withFilter && start >= 0) {
      ByteBuffer head = file.read(start, HEAD_BYTES);
      Optional<FooterScan.Place> found =
          FooterScan.findValue(head.duplicate(), length, KeyFooter.BLOOM_FILTER);
      if (found.isPresent() && found.get().length() > HEAD_BYTES) {
        return without(found.get(), file, start, length, head);
      }
    }
    ByteBuffer footer = file.read(start, length);
    return new FileFooter(file, parse(footer), null);
  }

  /** The footer with an empty text for the value at a place. */
  private static FileFooter without(
      FooterScan.Place value, FileBytes file, long start, long length, ByteBuffer head)
      throws IOException {
    ByteArrayOutputStream rest = new ByteArrayOutputStream();
    rest.write(head.array(), head.arrayOffset() + head.position(), value.lengthAt());
    rest.write(0);
    ByteBuffer behind = file.read(start + value.end(), length - value.end());
    rest.write(behind.array(), behind.arrayOffset() + behind.position(), behind.remaining());
    return new FileFooter(file, parse(ByteBuffer.wrap(rest.toByteArray())), value.at(start));
  }

  private static ParquetMetadata parse(ByteBuffer bytes) throws IOException {
    return new ParquetMetadataConverter()
        .fromParquetMetadata(
            Util.readFileMetaData(
                new ByteArrayInputStream(
                    bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining())));
  }

  ParquetMetadata metadata() {
    return metadata;
  }

  /** The key-values but for the bloom filter. */
  Map<String, String> keyValues() {
    Map<String, String> values = new HashMap<>(metadata.getFileMetaData().getKeyValueMetaData());
    values.remove(KeyFooter.BLOOM_FILTER);
    return values;
  }

  /** The filter of the record keys, which may be read now; empty if the file has none. */
  Optional<BloomFilter> bloomFilter() throws IOException {
    Map<String, String> values = metadata.getFileMetaData().getKeyValueMetaData();
    String text = values.get(KeyFooter.BLOOM_FILTER);
    if (filter != null) {
      ByteBuffer bytes = file.read(filter.position(), filter.length());
      text = US_ASCII.decode(bytes).toString(); // Base64
    }
    if (text == null) {
      return Optional.empty();
    }
    return Optional.of(
        BloomFilter.DYNAMIC_TYPE.equals(values.get(KeyFooter.BLOOM_FILTER_TYPE))
            ? BloomFilter.parseDynamic(text)
            : BloomFilter.parseSimple(text));
  }
}
