package io.hudilite.core.write;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.List;

/**
 * Writes the changes of one file group in one flush: each key at most once, so whoever calls has
 * merged them. Files are created with the first row that needs them. After an error only {@link
 * #abort()} helps. Not safe for use by several threads.
 */
public interface FileGroupWriter {

  /**
   * A row that is new or replaces an older version of its key.
   *
   * @param bytes array that holds key and body; may be reused after the call
   * @param keyOffset where the record key begins, UTF-8 without a length
   * @param bodyOffset where the Avro binary of the table's own columns begins
   */
  void upsert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException;

  /** As {@link #upsert}, for a key that is known to be new: counted as an insert. */
  void insert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException;

  /**
   * The key has no row any more.
   *
   * @param ordering of the delete; {@link OrderingValue#NONE} if the table has no ordering column
   */
  void delete(byte[] bytes, int keyOffset, int keyLength, OrderingValue ordering)
      throws IOException;

  /**
   * Completes the files. They are whole and of the told size when this returns; they count when
   * their instant is committed.
   *
   * @return one for each file, none if nothing was written
   */
  List<WriteStat> finish() throws IOException;

  /** Gives up: closes and deletes what was created, as far as the storage lets it. */
  void abort();
}
