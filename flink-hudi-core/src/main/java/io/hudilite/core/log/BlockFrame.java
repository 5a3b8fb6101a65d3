package io.hudilite.core.log;

import io.hudilite.core.log.LogFormat.BlockType;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import javax.annotation.Nullable;

/**
 * What the frame of a whole block says. Only the header entries that somebody needs are kept; the
 * others, such as record positions, are passed over.
 */
record BlockFrame(
    LogInput input,
    long position,
    BlockType type,
    @Nullable String instantText,
    @Nullable String targetText,
    @Nullable String schemaText,
    @Nullable String commandText,
    boolean isPartial,
    long contentPosition,
    long contentLength) {

  /**
   * Why there is no whole block at {@code position}, or null if there is one: its size fits into
   * the file and its two ends agree. Source: Hudi 1.0.2 HoodieLogFileReader.isBlockCorrupted; what
   * follows the block is not looked at, since damage there is no fault of this block.
   */
  @Nullable
  static String findFault(LogInput input, long position) throws IOException {
    if (!input.hasMagicAt(position)) {
      return "there is no '#HUDI#'";
    }
    long left = input.length() - position - LogFormat.FRAME_START;
    if (left < 0) {
      return "the file ends in the block's first bytes";
    }
    long blockSize = input.readLong(position + LogFormat.MAGIC.length);
    if (blockSize < LogFormat.MIN_BLOCK_SIZE || blockSize > left) {
      return "block size " + blockSize + ", but " + left + " bytes are left";
    }
    long trailer = input.readLong(position + LogFormat.FRAME_START + blockSize - Long.BYTES);
    if (trailer != blockSize + LogFormat.MAGIC.length) {
      return "block size " + blockSize + ", but the trailer says " + trailer;
    }
    return null;
  }

  /** Reads the frame of a block without {@link #findFault}. */
  static BlockFrame read(LogInput input, long position) throws IOException {
    return new FrameReader(input, position).read();
  }

  /** Byte behind the block. */
  static long endOf(LogInput input, long position) throws IOException {
    return position + LogFormat.FRAME_START + input.readLong(position + LogFormat.MAGIC.length);
  }

  BlockFrame withInstant(InstantTime instant) {
    return new BlockFrame(
        input,
        position,
        type,
        instant.digits(),
        targetText,
        schemaText,
        commandText,
        isPartial,
        contentPosition,
        contentLength);
  }

  InstantTime instant() throws CorruptLogException {
    return instant("INSTANT_TIME", instantText);
  }

  InstantTime target() throws CorruptLogException {
    return instant("TARGET_INSTANT_TIME", targetText);
  }

  private InstantTime instant(String key, @Nullable String text) throws CorruptLogException {
    if (text == null) {
      throw corrupt("a " + type + " block without " + key + " in its header");
    }
    try {
      return new InstantTime(text);
    } catch (IllegalArgumentException e) {
      throw new CorruptLogException(message(key + " is no instant time: '" + text + "'"), e);
    }
  }

  CorruptLogException corrupt(String what) {
    return new CorruptLogException(message(what));
  }

  String message(String what) {
    return "%s at byte %d: %s".formatted(input.path(), position, what);
  }

  /** Goes through the bytes of one frame. */
  private static final class FrameReader {
    private final LogInput input;
    private final long position;
    private final long trailerPosition;
    private long at;
    @Nullable private String instant;
    @Nullable private String target;
    @Nullable private String schema;
    @Nullable private String command;
    @Nullable private String partial;

    FrameReader(LogInput input, long position) throws IOException {
      this.input = input;
      this.position = position;
      this.trailerPosition = endOf(input, position) - Long.BYTES;
      this.at = position + LogFormat.FRAME_START;
    }

    BlockFrame read() throws IOException {
      int version = nextInt();
      if (version != LogFormat.VERSION) {
        throw corrupt("log format version " + version + " is not known, only 1 is");
      }
      int ordinal = nextInt();
      if (ordinal < 0 || ordinal >= BlockType.values().length) {
        throw corrupt("block type " + ordinal + " is not known");
      }
      readMap(true);
      require(Long.BYTES);
      long contentLength = input.readLong(at);
      at += Long.BYTES;
      long contentPosition = at;
      if (contentLength < 0 || contentLength > trailerPosition - at) {
        throw corrupt(
            "content of %d bytes, but %d are left in the block"
                .formatted(contentLength, trailerPosition - at));
      }
      at += contentLength;
      readMap(false);
      if (at != trailerPosition) {
        throw corrupt((trailerPosition - at) + " bytes lie between footer and trailer");
      }
      return new BlockFrame(
          input,
          position,
          BlockType.values()[ordinal],
          instant,
          target,
          schema,
          command,
          "true".equals(partial),
          contentPosition,
          contentLength);
    }

    private void readMap(boolean isHeader) throws IOException {
      int count = nextInt();
      long most = (trailerPosition - at) / (2 * Integer.BYTES);
      if (count < 0 || count > most) {
        throw corrupt(
            "%s with %d entries, but %d bytes are left in the block"
                .formatted(isHeader ? "header" : "footer", count, trailerPosition - at));
      }
      for (int i = 0; i < count; i++) {
        int key = nextInt();
        int length = nextInt();
        if (length < 0 || length > trailerPosition - at) {
          throw corrupt(
              "header value of %d bytes, but %d are left in the block"
                  .formatted(length, trailerPosition - at));
        }
        if (isHeader) {
          keep(key, length);
        }
        at += length;
      }
    }

    private void keep(int key, int length) throws IOException {
      switch (key) {
        case LogFormat.HEADER_INSTANT_TIME -> instant = input.readText(at, length);
        case LogFormat.HEADER_TARGET_INSTANT_TIME -> target = input.readText(at, length);
        case LogFormat.HEADER_SCHEMA -> schema = input.readText(at, length);
        case LogFormat.HEADER_COMMAND -> command = input.readText(at, length);
        case LogFormat.HEADER_IS_PARTIAL -> partial = input.readText(at, length);
        default -> {} // positions, identifiers of log compaction, what later versions add
      }
    }

    private int nextInt() throws IOException {
      require(Integer.BYTES);
      int value = input.readInt(at);
      at += Integer.BYTES;
      return value;
    }

    private void require(int bytes) throws CorruptLogException {
      if (trailerPosition - at < bytes) {
        throw corrupt("the block ends inside its own header");
      }
    }

    private CorruptLogException corrupt(String what) {
      return new CorruptLogException("%s at byte %d: %s".formatted(input.path(), position, what));
    }
  }
}
