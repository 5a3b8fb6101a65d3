package io.hudilite.core.storage;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;

/**
 * A file that is held in memory.
 *
 * @param path for messages
 * @param content not copied
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record MemoryInput(String path, byte[] content) implements StorageInput {
  public MemoryInput {
    requireNonNull(path, "path");
    requireNonNull(content, "content");
  }

  @Override
  public long length() {
    return content.length;
  }

  @Override
  public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
    if (position + length > content.length) {
      throw new EOFException(
          "%d bytes at %d of %d in %s".formatted(length, position, content.length, path));
    }
    System.arraycopy(content, (int) position, buffer, offset, length);
  }

  @Override
  public void close() {}
}
