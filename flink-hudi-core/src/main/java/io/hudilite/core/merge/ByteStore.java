package io.hudilite.core.merge;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Byte strings at positions of one growing address space. The space is cut into chunks of one size;
 * {@link #spillTo} moves the oldest to the same positions of a temporary file. A string that is
 * longer than a chunk gets an array over several chunks. Arrays that hold many strings already can
 * be taken over as they are. Not safe for use by several threads.
 */
final class ByteStore implements Closeable {
  static final int MIN_CHUNK = 1 << 14;

  /** Far below half a region of the collector even on small heaps, or arrays take whole regions. */
  private static final int MAX_CHUNK = 1 << 18;

  private final MergeMemory memory;
  private final int chunkSize;
  private final int chunkShift;
  private final int offsetMask;

  /** Null where a chunk is in the file, or is covered by a longer array before it. */
  private final List<byte[]> chunks = new ArrayList<>();

  private int firstResident;
  private long residentBytes;
  private long heldBytes;
  private int fill;
  private byte[] current = new byte[0];
  private long currentStart;
  private FileChannel file;
  private byte[] fromFile = new byte[0];

  private byte[] foundBytes = current;
  private int foundOffset;

  ByteStore(MergeMemory memory) {
    this.memory = memory;
    long wanted = Long.highestOneBit(Math.max(1, memory.maxBytes() / 8));
    this.chunkSize = (int) Math.min(MAX_CHUNK, Math.max(MIN_CHUNK, wanted));
    this.chunkShift = Integer.numberOfTrailingZeros(chunkSize);
    this.offsetMask = chunkSize - 1;
  }

  /** Bytes of all arrays, on the heap and in the file, used or not. */
  long heldBytes() {
    return heldBytes;
  }

  int chunkSize() {
    return chunkSize;
  }

  /** Whether the arrays on the heap exceed the bound, and some of them may be moved. */
  boolean isFull() {
    return residentBytes > memory.maxBytes() && firstResident < chunks.size() - 1;
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** Copies a string into the store and returns its position. */
  long add(byte[] bytes, int offset, int length) {
    if (length > current.length - fill) {
      open(length);
    }
    System.arraycopy(bytes, offset, current, fill, length);
    long position = currentStart + fill;
    // Positions are looked up by the chunk in which they begin, so a long array takes one string.
    fill = length > chunkSize ? current.length : fill + length;
    return position;
  }

  /**
   * Takes over an array that holds strings, at the position of its first byte. It is not to be
   * written to any more.
   *
   * @param array at most {@link #chunkSize} long, or it holds one string, at its begin
   */
  long adopt(byte[] array) {
    return append(array);
  }

  /**
   * Overwrites a string by one that is not longer, if it is still on the heap; else returns false.
   */
  boolean overwrite(long position, byte[] bytes, int offset, int length) {
    byte[] chunk = chunks.get((int) (position >> chunkShift));
    if (chunk == null) {
      return false;
    }
    System.arraycopy(bytes, offset, chunk, (int) position & offsetMask, length);
    return true;
  }

  /** Makes {@link #foundBytes} and {@link #foundOffset} show a string, until the next call. */
  void find(long position, int length) throws IOException {
    byte[] chunk = chunks.get((int) (position >> chunkShift));
    if (chunk != null) {
      foundBytes = chunk;
      foundOffset = (int) position & offsetMask;
      return;
    }
    if (fromFile.length < length) {
      fromFile = new byte[Math.max(length, 1024)];
    }
    ByteBuffer target = ByteBuffer.wrap(fromFile, 0, length);
    while (target.hasRemaining()) {
      int read = file.read(target, position + target.position());
      if (read < 0) {
        throw new EOFException(
            "The temporary file of a merge in %s ends before byte %d"
                .formatted(memory.spillFolder(), position + length));
      }
    }
    foundBytes = fromFile;
    foundOffset = 0;
  }

  /** The byte at a position if it is on the heap, else anything; negative positions are allowed. */
  int peek(long position) {
    byte[] chunk = position < 0 ? null : chunks.get((int) (position >> chunkShift));
    return chunk == null ? 0 : chunk[(int) position & offsetMask];
  }

  byte[] foundBytes() {
    return foundBytes;
  }

  int foundOffset() {
    return foundOffset;
  }

  private void open(int length) {
    int needed = chunksFor(length);
    // An array may not be longer than the address space it covers, nor than arrays can be.
    byte[] opened = new byte[(int) Math.min(Integer.MAX_VALUE - 8L, (long) needed * chunkSize)];
    currentStart = append(opened);
    current = opened;
    fill = 0;
  }

  private int chunksFor(int length) {
    return Math.max(1, (int) (((long) length + chunkSize - 1) / chunkSize));
  }

  private long append(byte[] array) {
    long start = (long) chunks.size() * chunkSize;
    chunks.add(array);
    for (int i = chunksFor(array.length); i > 1; i--) {
      chunks.add(null);
    }
    residentBytes += array.length;
    heldBytes += array.length;
    return start;
  }

  /** Begin of the address space that {@link #spillTo} is to leave on the heap if it is full. */
  long spillEnd() {
    long left = residentBytes;
    int end = firstResident;
    while (left > memory.maxBytes() / 2 && end < chunks.size() - 1) {
      byte[] chunk = chunks.get(end++);
      left -= chunk == null ? 0 : chunk.length;
    }
    return (long) end * chunkSize;
  }

  /** Moves what lies before a position that {@link #spillEnd} gave to the file. */
  void spillTo(long position) throws IOException {
    if (file == null) {
      Path path = memory.spillFolder().resolve("hudi-lite-merge-" + UUID.randomUUID() + ".tmp");
      file =
          FileChannel.open(
              path,
              StandardOpenOption.CREATE_NEW,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE,
              StandardOpenOption.DELETE_ON_CLOSE);
    }
    int end = (int) (position >> chunkShift);
    for (; firstResident < end; firstResident++) {
      byte[] oldest = chunks.get(firstResident);
      if (oldest == null) {
        continue;
      }
      ByteBuffer source = ByteBuffer.wrap(oldest);
      long at = (long) firstResident * chunkSize;
      while (source.hasRemaining()) {
        file.write(source, at + source.position());
      }
      chunks.set(firstResident, null);
      residentBytes -= oldest.length;
      if (oldest == current) {
        current = new byte[0];
        fill = 0;
      }
    }
  }

  @Override
  public void close() throws IOException {
    chunks.clear();
    current = new byte[0];
    fill = 0;
    if (file != null) {
      file.close();
      file = null;
    }
  }
}
