package io.hudilite.core.base;

import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;

/** A stream of rows. Not safe for use by several threads. */
public interface RowReader extends Closeable {

  /** The next row, valid until the next call, or null at the end. */
  @Nullable
  RowData next() throws IOException;

  /**
   * The next rows as columns, all of them INSERT, instead of one by one by {@link #next}. They
   * belong to the caller: they stay as they are when the reader goes on. Null if the next rows
   * cannot be had so, or there are none: {@link #next} tells.
   */
  @Nullable
  default VectorizedColumnBatch nextBatch() throws IOException {
    return null;
  }
}
