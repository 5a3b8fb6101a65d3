package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileReader;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;

/**
 * The keys of the rows of a Parquet file, where they lie in their pages. The memory in which a map
 * has the keys of some of the following rows is looked at in advance. Not safe for use by several
 * threads.
 */
final class RowKeys {
  /** Rows whose keys are looked up together. */
  private static final int GROUP = 64;

  private final BaseFileReader rows;
  private final int keyPosition;
  private final LogRecordMap map;
  @Nullable private final BytesColumnVector keys;
  private final BytesColumnVector.Bytes[] group = new BytesColumnVector.Bytes[GROUP];
  private final int[] hashes = new int[GROUP];
  private int groupStart;
  private int groupEnd;

  private byte[] array = {};
  private int offset;
  private int length;
  private int hash;

  RowKeys(BaseFileReader rows, int keyPosition, LogRecordMap map) {
    this.rows = rows;
    this.keyPosition = keyPosition;
    this.map = map;
    this.keys = rows.texts(keyPosition);
  }

  /**
   * Goes to the key of a row.
   *
   * @param row the one that the file's reader returned last
   */
  void seek(RowData row) throws IOException {
    if (keys == null) {
      array = row.isNullAt(keyPosition) ? null : row.getString(keyPosition).toBytes();
      requireKey(array);
      offset = 0;
      length = array.length;
      hash = LogRecordMap.hash(array, 0, length);
      return;
    }
    int at = rows.rowInBatch();
    if (at == 0 || at == groupEnd) {
      startGroup(at);
    }
    BytesColumnVector.Bytes key = group[at - groupStart];
    requireKey(key);
    array = key.data;
    offset = key.offset;
    length = key.len;
    hash = hashes[at - groupStart];
  }

  private static void requireKey(@Nullable Object key) throws IOException {
    if (key == null) {
      throw new IOException("A row of a Parquet file has no record key");
    }
  }

  byte[] array() {
    return array;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  /** As {@link LogRecordMap#hash} gives it. */
  int hash() {
    return hash;
  }

  /** The entry of the key, or {@link LogRecordMap#NONE}. */
  int findEntry() throws IOException {
    return map.find(hash, array, offset, length);
  }

  private void startGroup(int first) {
    groupStart = first;
    groupEnd = Math.min(first + GROUP, rows.batchRows());
    for (int row = groupStart; row < groupEnd; row++) {
      BytesColumnVector.Bytes key = keys.isNullAt(row) ? null : keys.getBytes(row);
      group[row - groupStart] = key;
      hashes[row - groupStart] = key == null ? 0 : LogRecordMap.hash(key.data, key.offset, key.len);
    }
    map.prefetch(hashes, groupEnd - groupStart);
  }
}
