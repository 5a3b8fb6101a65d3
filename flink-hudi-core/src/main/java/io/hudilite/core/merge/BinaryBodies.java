package io.hudilite.core.merge;

import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Records that are kept as their key and a binary row behind it, so that nothing is left to decode.
 * Not safe for use by several threads.
 */
final class BinaryBodies implements BodyFormat {
  private final int columns;
  private final List<String> columnNames;
  @Nullable private final boolean[] has;
  private final BinaryRowData row;
  private MemorySegment[] segments = {};
  @Nullable private byte[] array;

  /**
   * @param read the rows' type
   * @param names the columns that the records have values of
   */
  BinaryBodies(RowType read, List<String> names, boolean isPartial) {
    this.columns = read.getFieldCount();
    this.columnNames = List.copyOf(names);
    this.has = isPartial ? BodyFormat.presence(names, read) : null;
    this.row = new BinaryRowData(columns);
  }

  @Override
  public BinaryRowData decode(byte[] bytes, int offset, int length, int keyLength) {
    return pointTo(row, bytes, offset + keyLength, length - keyLength);
  }

  @Override
  public BinaryRowData decodeNew(byte[] bytes, int offset, int length, int keyLength) {
    return pointTo(new BinaryRowData(columns), bytes, offset + keyLength, length - keyLength);
  }

  private BinaryRowData pointTo(BinaryRowData target, byte[] bytes, int offset, int length) {
    if (bytes != array) {
      segments = new MemorySegment[] {MemorySegmentFactory.wrap(bytes)};
      array = bytes;
    }
    target.pointTo(segments, offset, length);
    return target;
  }

  @Override
  public void readVersion(byte[] bytes, int offset, int length, int keyEnd, Version target) {
    throw new IllegalStateException("Versions of such records are put with them");
  }

  @Override
  public List<String> columnNames() {
    return columnNames;
  }

  @Override
  @Nullable
  public boolean[] has() {
    return has;
  }
}
