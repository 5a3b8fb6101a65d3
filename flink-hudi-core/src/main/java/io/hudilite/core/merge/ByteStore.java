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
 * when those on the heap exceed the bound, the oldest move to the same positions of a temporary
 * file. A string that is longer than a chunk gets an array over several chunks. Not safe for use by
 * several threads.
 */
final class ByteStore implements Closeable {
  private static final int MIN_CHUNK = 1 << 14;
  private static final int MAX_CHUNK = 1 << 20;

  private final MergeMemory memory;
  private final int chunkSize;

  /** Null where a chunk is in the file, or is covered by a longer array before it. */
  private final List<byte[]> chunks = new ArrayList<>();

  private int firstResident;
  private long residentBytes;
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
  }

  /** Bytes of the address space, used or not. */
  long size() {
    return (long) chunks.size() * chunkSize;
  }

  int chunkSize() {
    return chunkSize;
  }

  boolean hasSpilled() {
    return file != null;
  }

  /** Copies a string into the store and returns its position. */
  long add(byte[] bytes, int offset, int length) throws IOException {
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
   * Overwrites a string by one that is not longer, if it is still on the heap; else returns false.
   */
  boolean overwrite(long position, byte[] bytes, int offset, int length) {
    byte[] chunk = chunks.get((int) (position / chunkSize));
    if (chunk == null) {
      return false;
    }
    System.arraycopy(bytes, offset, chunk, (int) (position % chunkSize), length);
    return true;
  }

  /** Makes {@link #foundBytes} and {@link #foundOffset} show a string, until the next call. */
  void find(long position, int length) throws IOException {
    byte[] chunk = chunks.get((int) (position / chunkSize));
    if (chunk != null) {
      foundBytes = chunk;
      foundOffset = (int) (position % chunkSize);
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

  byte[] foundBytes() {
    return foundBytes;
  }

  int foundOffset() {
    return foundOffset;
  }

  private void open(int length) throws IOException {
    int needed = Math.max(1, (int) (((long) length + chunkSize - 1) / chunkSize));
    // An array may not be longer than the address space it covers, nor than arrays can be.
    byte[] opened = new byte[(int) Math.min(Integer.MAX_VALUE - 8L, (long) needed * chunkSize)];
    currentStart = size();
    current = opened;
    fill = 0;
    chunks.add(opened);
    for (int i = 1; i < needed; i++) {
      chunks.add(null);
    }
    residentBytes += opened.length;
    if (residentBytes > memory.maxBytes()) {
      spill();
    }
  }

  /** Moves the older half out, but never the newest: it is being filled. */
  private void spill() throws IOException {
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
    while (residentBytes > memory.maxBytes() / 2) {
      byte[] oldest = chunks.get(firstResident);
      if (oldest == current) {
        return;
      }
      if (oldest != null) {
        ByteBuffer source = ByteBuffer.wrap(oldest);
        long at = (long) firstResident * chunkSize;
        while (source.hasRemaining()) {
          file.write(source, at + source.position());
        }
        chunks.set(firstResident, null);
        residentBytes -= oldest.length;
      }
      firstResident++;
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
