package io.hudilite.source.read;

import java.util.Arrays;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Copies rows that are used again by their reader, as binary rows behind one another in one array.
 * Not safe for use by several threads.
 */
final class RowPacker {
  private static final int FIRST_BYTES = 1 << 12;

  private final RowDataSerializer serializer;
  private final int columns;
  private final int[] ends;
  private byte[] array = new byte[0];
  private int size;
  private int bytes;

  /**
   * @param maxRows how many rows are taken at most
   */
  RowPacker(RowType rowType, int maxRows) {
    this.serializer = new RowDataSerializer(rowType);
    this.columns = rowType.getFieldCount();
    this.ends = new int[maxRows];
  }

  boolean isFull() {
    return size == ends.length;
  }

  /** Bytes of the rows so far. */
  int bytes() {
    return bytes;
  }

  void add(RowData row) {
    BinaryRowData binary = serializer.toBinaryRow(row); // itself if it is one
    int length = binary.getSizeInBytes();
    int end = Math.addExact(bytes, length);
    if (end > array.length) {
      array = Arrays.copyOf(array, Math.max(FIRST_BYTES, grown(end)));
    }
    BinarySegmentUtils.copyToBytes(binary.getSegments(), binary.getOffset(), array, bytes, length);
    bytes = end;
    ends[size++] = end;
  }

  private static int grown(int needed) {
    return (int) Math.min(Integer.MAX_VALUE - 8L, needed + (needed >> 1) + 64L);
  }

  /** Hands out the rows, which share their memory, and begins anew. */
  RowData[] take() {
    RowData[] rows = new RowData[size];
    MemorySegment[] segments = {MemorySegmentFactory.wrap(array)};
    int start = 0;
    for (int i = 0; i < size; i++) {
      BinaryRowData row = new BinaryRowData(columns);
      row.pointTo(segments, start, ends[i] - start);
      rows[i] = row;
      start = ends[i];
    }
    // The next batch will probably be as large.
    array = new byte[Math.min(array.length, bytes + FIRST_BYTES)];
    size = 0;
    bytes = 0;
    return rows;
  }
}
