package io.hudilite.core.base;

import io.hudilite.core.storage.StorageInput;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * An open file as Parquet reads it. The end of the file is read once and kept: it holds the footer,
 * and all of a small file. Closing a stream closes the input.
 */
final class StorageInputFile implements InputFile {
  private static final int TAIL_BYTES = 1 << 16;

  private final StorageInput input;
  private final String name;
  private final long length;

  /**
   * @param name for messages
   */
  StorageInputFile(StorageInput input, long length, String name) {
    this.input = input;
    this.length = length;
    this.name = name;
  }

  @Override
  public long getLength() {
    return length;
  }

  @Override
  public SeekableInputStream newStream() throws IOException {
    byte[] tail = new byte[(int) Math.min(length, TAIL_BYTES)];
    input.readFully(length - tail.length, tail, 0, tail.length);
    return new Stream(input, length, tail);
  }

  @Override
  public String toString() {
    return name;
  }

  /** A part of an array as an input; see {@link StorageInput} for the contract. */
  record ArrayInput(byte[] content, int offset, int size) implements StorageInput {
    ArrayInput {
      Objects.checkFromIndexSize(offset, size, content.length);
    }

    @Override
    public long length() {
      return size;
    }

    @Override
    public void readFully(long position, byte[] buffer, int at, int count) throws IOException {
      if (position < 0 || count > size - position) {
        throw new EOFException(
            "%d bytes from byte %d on are wanted of %d".formatted(count, position, size));
      }
      System.arraycopy(content, (int) (offset + position), buffer, at, count);
    }

    @Override
    public void close() {}
  }

  private static final class Stream extends SeekableInputStream {
    private final StorageInput input;
    private final long length;
    private final byte[] tail;
    private final long tailStart;
    private long position;

    Stream(StorageInput input, long length, byte[] tail) {
      this.input = input;
      this.length = length;
      this.tail = tail;
      this.tailStart = length - tail.length;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void seek(long newPosition) {
      position = newPosition;
    }

    @Override
    public int read() throws IOException {
      if (position >= length) {
        return -1;
      }
      byte[] one = new byte[1];
      readFully(one, 0, 1);
      return one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      if (count == 0) {
        return 0;
      }
      int available = (int) Math.min(count, length - position);
      if (available <= 0) {
        return -1;
      }
      readFully(bytes, offset, available);
      return available;
    }

    @Override
    public void readFully(byte[] bytes) throws IOException {
      readFully(bytes, 0, bytes.length);
    }

    @Override
    public void readFully(byte[] bytes, int offset, int count) throws IOException {
      if (position < 0 || count > length - position) {
        throw new EOFException(
            "%d bytes from byte %d on are wanted of %d".formatted(count, position, length));
      }
      if (position >= tailStart) {
        System.arraycopy(tail, (int) (position - tailStart), bytes, offset, count);
      } else {
        input.readFully(position, bytes, offset, count);
      }
      position += count;
    }

    @Override
    public int read(ByteBuffer buffer) throws IOException {
      int available = (int) Math.min(buffer.remaining(), length - position);
      if (available <= 0) {
        return buffer.hasRemaining() ? -1 : 0;
      }
      ByteBuffer part = buffer.slice(buffer.position(), available);
      readFully(part);
      buffer.position(buffer.position() + available);
      return available;
    }

    @Override
    public void readFully(ByteBuffer buffer) throws IOException {
      int count = buffer.remaining();
      if (buffer.hasArray()) {
        readFully(buffer.array(), buffer.arrayOffset() + buffer.position(), count);
        buffer.position(buffer.limit());
      } else {
        byte[] bytes = new byte[count];
        readFully(bytes, 0, count);
        buffer.put(bytes);
      }
    }

    @Override
    public void close() throws IOException {
      input.close();
    }
  }
}
