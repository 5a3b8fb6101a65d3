package io.hudilite.sink.assign;

import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import javax.annotation.Nullable;

/** The place of every key. Works on one current key, like Flink's keyed state. */
interface RecordIndex {

  /** Makes the key of a record that has just arrived the current one. */
  void select(HudiRecord record);

  /** Makes any key the current one. */
  void select(RecordKey key);

  /** Null if the current key is not known. */
  @Nullable
  KeyLocation get() throws Exception;

  void put(KeyLocation location) throws Exception;

  /** Forgets the current key. */
  void remove() throws Exception;
}
