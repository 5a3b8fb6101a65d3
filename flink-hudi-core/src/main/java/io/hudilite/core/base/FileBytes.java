package io.hudilite.core.base;

import io.hudilite.core.storage.StorageInput;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The bytes of an open file. Its end is read once and kept: it holds the footer, and all of a small
 * file, so that such a file costs one read.
 */
final class FileBytes implements Closeable {
  private static final int TAIL_BYTES = 1 << 16;

  private final StorageInput input;
  private final long length;
  private final ByteBuffer tail;

  private FileBytes(StorageInput input, long length, ByteBuffer tail) {
    this.input = input;
    this.length = length;
    this.tail = tail;
  }

  /** Takes over the input, but not on an error. */
  static FileBytes of(StorageInput input, long length) throws IOException {
    byte[] tail = new byte[(int) Math.min(length, TAIL_BYTES)];
    input.readFully(length - tail.length, tail, 0, tail.length);
    return new FileBytes(input, length, ByteBuffer.wrap(tail));
  }

  /** A part of an array as a file; see there for when it may change. */
  static FileBytes of(byte[] content, int offset, int length) {
    return new FileBytes(NOTHING, length, ByteBuffer.wrap(content, offset, length).slice());
  }

  long length() {
    return length;
  }

  /**
   * A part of the file, in a buffer over an array.
   *
   * @throws EOFException if the file does not have it; no memory was taken then
   */
  ByteBuffer read(long position, long count) throws IOException {
    if (position < 0 || count < 0 || count > length - position) {
      throw new EOFException(
          "%d bytes at byte %d are wanted of %d".formatted(count, position, length));
    }
    if (count > Integer.MAX_VALUE - 8) {
      throw new IOException(
          "%d bytes at byte %d are more than one read may give".formatted(count, position));
    }
    long tailStart = length - tail.capacity();
    if (position >= tailStart) {
      return tail.slice((int) (position - tailStart), (int) count);
    }
    byte[] bytes = new byte[(int) count];
    input.readFully(position, bytes, 0, bytes.length);
    return ByteBuffer.wrap(bytes);
  }

  @Override
  public void close() throws IOException {
    input.close();
  }

  /** Beside an array, which holds all there is. */
  private static final StorageInput NOTHING =
      new StorageInput() {
        @Override
        public long length() {
          return 0;
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int count)
            throws IOException {
          throw new EOFException("All bytes are in memory");
        }

        @Override
        public void close() {}
      };
}
