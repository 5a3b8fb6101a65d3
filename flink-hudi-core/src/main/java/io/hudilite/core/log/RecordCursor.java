package io.hudilite.core.log;

import java.io.IOException;

/**
 * Goes through the records of a data block. The bytes of a record are valid until the next call of
 * {@link #next()}. Not safe for use by several threads.
 */
public interface RecordCursor {

  /**
   * Moves to the next record; false at the end.
   *
   * @throws CorruptLogException if the block's content is not what it says
   */
  boolean next() throws IOException;

  /** Array that holds the record, among other things. */
  byte[] bytes();

  int offset();

  int length();
}
