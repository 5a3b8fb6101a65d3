package io.hudilite.core.merge;

import io.hudilite.core.avro.MalformedAvroException;
import java.io.IOException;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/** What is kept of the records of some origin, and how it becomes rows of the columns read. */
interface BodyFormat {

  /**
   * The row of what was kept of a record; valid until the next call, and as long as the bytes do
   * not change.
   */
  RowData decode(byte[] bytes, int offset, int length, int keyLength) throws IOException;

  /** The same, as a new row with each call. */
  RowData decodeNew(byte[] bytes, int offset, int length, int keyLength) throws IOException;

  /**
   * The version of a record, which was left in it.
   *
   * @param keyEnd index in {@code bytes} behind its key
   * @throws MalformedAvroException if it is damaged
   */
  void readVersion(byte[] bytes, int offset, int length, int keyEnd, Version target)
      throws IOException;

  /** The columns that the records have values of, read or not. */
  List<String> columnNames();

  /** Which of the columns read the records have; null for all. */
  @Nullable
  boolean[] has();

  /** Whether the records have some of their columns only. */
  default boolean isPartial() {
    return has() != null;
  }

  /** Whether the records have the first {@code count} columns read. */
  default boolean hasFirst(int count) {
    boolean[] has = has();
    for (int i = 0; has != null && i < count; i++) {
      if (!has[i]) {
        return false;
      }
    }
    return true;
  }

  /** For {@link #has}. */
  static boolean[] presence(List<String> names, RowType read) {
    boolean[] present = new boolean[read.getFieldCount()];
    for (int i = 0; i < present.length; i++) {
      present[i] = names.contains(read.getFieldNames().get(i));
    }
    return present;
  }
}
