package io.hudilite.sink.assign;

import io.hudilite.sink.record.RecordKey;
import javax.annotation.Nullable;

/** The place of every key. Works on one current key, like Flink's keyed state. */
interface RecordIndex {

  /**
   * Makes a key the current one.
   *
   * @param key not kept; its owner may change it later
   */
  void select(RecordKey key);

  /** Null if the current key is not known. The index owns it, see {@link #update}. */
  @Nullable
  KeyLocation get() throws Exception;

  /** Learns the current key, which was not known. Takes the location over. */
  void put(KeyLocation location) throws Exception;

  /** The location that {@link #get} gave for the current key has been changed by the caller. */
  void update(KeyLocation location) throws Exception;

  /** Forgets the current key. */
  void remove() throws Exception;
}
