package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileReader;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.BytesColumnVector;

/**
 * Looks up the keys of the rows of a base file in a map, where they lie in their pages, and some of
 * the following rows' in advance. Not safe for use by several threads.
 */
final class BaseKeys {
  /** Rows whose keys are looked up together. */
  private static final int GROUP = 64;

  private final BaseFileReader base;
  private final int keyPosition;
  private final LogRecordMap map;
  @Nullable private final BytesColumnVector keys;
  private final BytesColumnVector.Bytes[] group = new BytesColumnVector.Bytes[GROUP];
  private final int[] hashes = new int[GROUP];
  private int groupStart;
  private int groupEnd;

  BaseKeys(BaseFileReader base, int keyPosition, LogRecordMap map) {
    this.base = base;
    this.keyPosition = keyPosition;
    this.map = map;
    this.keys = base.texts(keyPosition);
  }

  /**
   * The entry of a row's key, or {@link LogRecordMap#NONE}.
   *
   * @param row the one that the base file's reader returned last
   */
  int findEntry(RowData row) throws IOException {
    if (keys == null) {
      byte[] key = row.getString(keyPosition).toBytes();
      return map.find(key, 0, key.length);
    }
    int at = base.rowInBatch();
    if (at == 0 || at == groupEnd) {
      startGroup(at);
    }
    BytesColumnVector.Bytes key = group[at - groupStart];
    if (key == null) {
      throw new IOException("A row of a base file has no record key");
    }
    return map.find(hashes[at - groupStart], key.data, key.offset, key.len);
  }

  private void startGroup(int first) {
    groupStart = first;
    groupEnd = Math.min(first + GROUP, base.batchRows());
    for (int row = groupStart; row < groupEnd; row++) {
      BytesColumnVector.Bytes key = keys.isNullAt(row) ? null : keys.getBytes(row);
      group[row - groupStart] = key;
      hashes[row - groupStart] = key == null ? 0 : LogRecordMap.hash(key.data, key.offset, key.len);
    }
    map.prefetch(hashes, groupEnd - groupStart);
  }
}
