package io.hudilite.core.write;

import io.hudilite.core.log.LogWriter;
import java.io.IOException;

/**
 * The rows of one data block of a log file after the other, in the block's format. Holds at most
 * one block in memory. Not safe for use by several threads.
 */
interface RowBlock {

  /**
   * Whether the block is to be written before a row is added, so that it does not become too large.
   */
  boolean isFullFor(int keyLength, int bodyLength);

  /** Adds a row; parameters as of {@link FileGroupWriter#upsert}. */
  void append(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException;

  boolean isEmpty();

  /** Appends the block, which is not empty, to the log file, and begins the next one. */
  void writeTo(LogWriter log) throws IOException;

  /** Gives its memory back; whatever it holds is lost. */
  void close();
}
