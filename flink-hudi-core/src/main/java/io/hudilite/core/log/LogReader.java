package io.hudilite.core.log;

import io.hudilite.core.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;

/**
 * Reads the blocks of one log file in file order. Torn blocks come as {@link LogBlock.Corrupt};
 * blocks that are whole but senseless are an error. No length is believed before it was compared
 * with what the file has. Not safe for use by several threads.
 */
public final class LogReader implements Closeable {

  private LogReader() {}

  /**
   * Opens a file.
   *
   * @param length bytes of the file to read: what lies behind was not there when it was listed
   */
  public static LogReader open(Storage storage, String path, long length) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * The next block, or null at the end of the file.
   *
   * @throws CorruptLogException if a whole block holds something impossible or not readable here
   */
  @Nullable
  public LogBlock next() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() throws IOException {}
}
