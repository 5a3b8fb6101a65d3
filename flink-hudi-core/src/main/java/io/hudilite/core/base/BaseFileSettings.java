package io.hudilite.core.base;

import static java.util.Objects.requireNonNull;

/**
 * How base files are written.
 *
 * @param compression of all pages
 * @param rowGroupBytes a row group is closed when it has about this size in memory
 * @param pageBytes size of a page before compression, at least 64
 * @param sampleRows how many rows are looked at before it is decided which data columns get a
 *     dictionary; at least 1
 * @param bloomErrorRate chance of a false answer of the file's bloom filter, between 0 and 1
 */
public record BaseFileSettings(
    Compression compression,
    long rowGroupBytes,
    int pageBytes,
    int sampleRows,
    double bloomErrorRate) {

  /** Hudi's defaults, but for the codec: SNAPPY, 120 MB row groups, 1 MB pages, 1e-9. */
  public static final BaseFileSettings DEFAULT =
      new BaseFileSettings(Compression.SNAPPY, 120L << 20, 1 << 20, 1_000, 1e-9);

  /** Parquet's buffers begin with so many. */
  private static final int MIN_PAGE_BYTES = 64;

  /** The codecs that base files can be written with. */
  public enum Compression {
    UNCOMPRESSED,
    SNAPPY,
    GZIP,
    ZSTD
  }

  public BaseFileSettings {
    requireNonNull(compression, "compression");
    if (rowGroupBytes < 1 || pageBytes < MIN_PAGE_BYTES || sampleRows < 1) {
      throw new IllegalArgumentException(
          "Row group of %d bytes, page of %d bytes, sample of %d rows: they must be at least 1, %d and 1"
              .formatted(rowGroupBytes, pageBytes, sampleRows, MIN_PAGE_BYTES));
    }
    if (!(bloomErrorRate > 0 && bloomErrorRate < 1)) {
      throw new IllegalArgumentException(
          "The error rate of a bloom filter lies between 0 and 1, got " + bloomErrorRate);
    }
  }

  public BaseFileSettings withCompression(Compression other) {
    return new BaseFileSettings(other, rowGroupBytes, pageBytes, sampleRows, bloomErrorRate);
  }

  public BaseFileSettings withRowGroupBytes(long bytes) {
    return new BaseFileSettings(compression, bytes, pageBytes, sampleRows, bloomErrorRate);
  }

  public BaseFileSettings withPageBytes(int bytes) {
    return new BaseFileSettings(compression, rowGroupBytes, bytes, sampleRows, bloomErrorRate);
  }
}
