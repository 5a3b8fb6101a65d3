package io.hudilite.core.storage;

import java.io.Closeable;
import java.io.IOException;

/** A file that is open for random reads. Not safe for use by several threads. */
public interface StorageInput extends Closeable {

  /** Length of the file in bytes. */
  long length() throws IOException;

  /**
   * Reads exactly {@code length} bytes that begin at {@code position} of the file.
   *
   * @throws java.io.EOFException if the file ends before
   */
  void readFully(long position, byte[] buffer, int offset, int length) throws IOException;
}
