package io.hudilite.core.log;

/**
 * Frame around each block of a log file; integers are big-endian. Source: Hudi 1.0.2
 * HoodieLogFormatWriter.appendBlocks and HoodieLogBlock.
 *
 * <pre>
 * magic      6 bytes  "#HUDI#"
 * blockSize  int64    bytes from version to trailer, both included
 * version    int32    1
 * type       int32    {@link BlockType}
 * header     int32 count, then for each entry int32 key, int32 length, UTF-8 text
 * length     int64    bytes of content
 * content
 * footer     as the header; empty: int32 0
 * trailer    int64    blockSize + 6; differs after a torn write
 * </pre>
 */
final class LogFormat {
  static final byte[] MAGIC = {'#', 'H', 'U', 'D', 'I', '#'};
  static final int VERSION = 1;

  /** Magic and block size. */
  static final int FRAME_START = MAGIC.length + Long.BYTES;

  /** Version, type, empty header, content length, empty footer, trailer. */
  static final int MIN_BLOCK_SIZE = 4 + 4 + 4 + 8 + 4 + 8;

  /** Version of the content of data and delete blocks. */
  static final int CONTENT_VERSION = 3;

  static final int HEADER_INSTANT_TIME = 0;
  static final int HEADER_TARGET_INSTANT_TIME = 1;
  static final int HEADER_SCHEMA = 2;
  static final int HEADER_COMMAND = 3;
  static final int HEADER_IS_PARTIAL = 7;

  /** The only command there is. */
  static final String COMMAND_ROLLBACK = "0";

  /** The ordinals are the format. */
  enum BlockType {
    COMMAND,
    DELETE,
    CORRUPT,
    AVRO_DATA,
    HFILE_DATA,
    PARQUET_DATA,
    CDC_DATA
  }

  private LogFormat() {}
}
