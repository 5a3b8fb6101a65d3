package io.hudilite.core.merge;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;

/**
 * Byte strings at positions of one growing address space. The space is cut into chunks of one size,
 * and an array covers one or several; {@link #spillTo} moves the oldest arrays to the same
 * positions of a temporary file. Not safe for use by several threads.
 */
final class ByteStore implements Closeable {
  static final int MIN_CHUNK = 1 << 14;

  /** Far below half a region of the collector even on small heaps, or arrays take whole regions. */
  private static final int MAX_CHUNK = 1 << 18;

  /**
   * With its header as long as a whole number of regions of G1 on heaps of less than 8 GiB: such an
   * array gets regions of its own, which the collector never copies, and leaves nothing of them
   * unused.
   */
  static final int LARGE_ARRAY = (4 << 20) - 64;

  private final MergeMemory memory;
  private final int chunkSize;
  private final int chunkShift;
  private final int offsetMask;

  /** The array that covers a chunk; null where it is in the file. */
  private final List<byte[]> chunks = new ArrayList<>();

  /** For each chunk, how many chunks its array began before it. */
  private int[] chunksBefore = new int[16];

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
    return residentBytes > memory.maxBytes() && spillEnd() > (long) firstResident * chunkSize;
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** What to reserve for a string, so that most of nearly the same length fit into its place. */
  static int space(int length) {
    return length > MAX_CHUNK ? length : (length + 15) & ~15;
  }

  /** Copies a string into the store and returns its position. */
  long add(byte[] bytes, int offset, int length) {
    return add(bytes, offset, length, length);
  }

  /** The same, with space for a string of {@code space} bytes, at least {@code length}. */
  long add(byte[] bytes, int offset, int length, int space) {
    if (space > current.length - fill) {
      open(space);
    }
    System.arraycopy(bytes, offset, current, fill, length);
    long position = currentStart + fill;
    fill += space;
    return position;
  }

  /**
   * Overwrites a string by one for which there is space, if it is still on the heap; else returns
   * false.
   */
  boolean overwrite(long position, byte[] bytes, int offset, int length) {
    int index = (int) (position >> chunkShift);
    byte[] array = chunks.get(index);
    if (array == null) {
      return false;
    }
    System.arraycopy(bytes, offset, array, offsetOf(position, index), length);
    return true;
  }

  /** Makes {@link #foundBytes} and {@link #foundOffset} show a string, until the next call. */
  void find(long position, int length) throws IOException {
    int index = (int) (position >> chunkShift);
    byte[] array = chunks.get(index);
    if (array != null) {
      foundBytes = array;
      foundOffset = offsetOf(position, index);
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

  /** The byte at a position if it is on the heap, else anything; any position is allowed. */
  int peek(long position) {
    int index = (int) (position >> chunkShift);
    byte[] array = index < 0 || index >= chunks.size() ? null : chunks.get(index);
    if (array == null) {
      return 0;
    }
    int offset = offsetOf(position, index);
    return offset < array.length ? array[offset] : 0;
  }

  /** Index in its array of a byte in the chunk of this index. */
  private int offsetOf(long position, int index) {
    return ((int) position & offsetMask) + (chunksBefore[index] << chunkShift);
  }

  byte[] foundBytes() {
    return foundBytes;
  }

  int foundOffset() {
    return foundOffset;
  }

  private void open(int length) {
    boolean isMuch = heldBytes >= LARGE_ARRAY && memory.maxBytes() / 8 >= LARGE_ARRAY;
    int wanted = isMuch ? LARGE_ARRAY : chunkSize;
    byte[] opened = new byte[Math.max(length, wanted)];
    currentStart = append(opened);
    current = opened;
    fill = 0;
  }

  private int chunksFor(int length) {
    return Math.max(1, (int) (((long) length + chunkSize - 1) / chunkSize));
  }

  private long append(byte[] array) {
    int first = chunks.size();
    int end = first + chunksFor(array.length);
    if (end > chunksBefore.length) {
      chunksBefore = Arrays.copyOf(chunksBefore, Math.max(end, 2 * chunksBefore.length));
    }
    for (int i = first; i < end; i++) {
      chunks.add(array);
      chunksBefore[i] = i - first;
    }
    residentBytes += array.length;
    heldBytes += array.length;
    return (long) first * chunkSize;
  }

  /** Begin of the address space that {@link #spillTo} is to leave on the heap if it is full. */
  long spillEnd() {
    long left = residentBytes;
    int end = firstResident;
    while (left > memory.maxBytes() / 2
        && end + chunksFor(chunks.get(end).length) < chunks.size()) {
      int length = chunks.get(end).length;
      end += chunksFor(length);
      left -= length;
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
    while (firstResident < end) {
      byte[] oldest = chunks.get(firstResident);
      ByteBuffer source = ByteBuffer.wrap(oldest);
      long at = (long) firstResident * chunkSize;
      while (source.hasRemaining()) {
        file.write(source, at + source.position());
      }
      for (int covered = chunksFor(oldest.length); covered > 0; covered--) {
        chunks.set(firstResident++, null);
      }
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
