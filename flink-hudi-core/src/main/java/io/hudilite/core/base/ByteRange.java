package io.hudilite.core.base;

/**
 * A part of a file.
 *
 * @param end the byte after the last one
 */
public record ByteRange(long start, long end) {
  /** All of a file. */
  public static final ByteRange ALL = new ByteRange(0, Long.MAX_VALUE);

  public ByteRange {
    if (start < 0 || end < start) {
      throw new IllegalArgumentException("Bytes from %d to %d".formatted(start, end));
    }
  }

  boolean contains(long position) {
    return start <= position && position < end;
  }
}
