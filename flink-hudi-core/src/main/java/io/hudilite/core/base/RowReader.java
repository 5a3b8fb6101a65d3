package io.hudilite.core.base;

import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;

/** A stream of rows. Not safe for use by several threads. */
public interface RowReader extends Closeable {

  /** The next row, valid until the next call, or null at the end. */
  @Nullable
  RowData next() throws IOException;
}
