package io.hudilite.core.base;

import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;

/**
 * A top-level column of a primitive type that is read as it is stored: takes runs of rows from its
 * {@link FlatPages} into its {@link FlatVector}.
 */
final class FlatColumn implements BatchColumn {
  private final FlatPages pages;
  private final FlatVector vector;

  /** Row of the row group that comes next. */
  private long position;

  private FlatColumn(FlatPages pages, FlatVector vector) {
    this.pages = pages;
    this.vector = vector;
  }

  /** Null where the stored type needs a conversion that {@link ScalarReader} does. */
  @Nullable
  static FlatColumn of(ColumnDescriptor descriptor, LogicalType wanted, int batchRows) {
    FlatVector vector = FlatVector.of(descriptor.getPrimitiveType(), wanted, batchRows);
    return vector == null
        ? null
        : new FlatColumn(new FlatPages(descriptor, vector.readsPlain()), vector);
  }

  @Override
  public ColumnVector vector() {
    return vector.vector();
  }

  @Override
  public void renew() {
    vector.renew();
  }

  @Override
  public void startRowGroup(RowGroupPages store) throws IOException {
    Dictionary dictionary = pages.start(store);
    if (dictionary != null) {
      vector.startDictionary(dictionary);
    }
    position = 0;
  }

  @Override
  public void seek(long row) throws IOException {
    while (position + pages.left() <= row && (position < row || pages.left() > 0)) {
      position = pages.next();
      if (position > row) {
        throw new IOException("The page of row %d begins at row %d".formatted(row, position));
      }
    }
    while (position < row) {
      int count = nextEqual((int) Math.min(row - position, pages.left()));
      if (pages.hasNoNulls() || pages.arePresent()) {
        vector.skipValues(pages, count);
      }
      step(count);
    }
  }

  @Override
  public void read(int rows) throws IOException {
    vector.resetNulls();
    int row = 0;
    while (row < rows) {
      while (pages.left() == 0) {
        long first = pages.next();
        if (first != position) {
          throw new IOException("The page of row %d begins at row %d".formatted(position, first));
        }
      }
      int count = nextEqual(Math.min(rows - row, pages.left()));
      if (pages.hasNoNulls() || pages.arePresent()) {
        vector.readValues(pages, row, count);
      } else {
        for (int i = row; i < row + count; i++) {
          vector.setNull(i);
        }
      }
      row += count;
      step(count);
    }
  }

  private int nextEqual(int max) {
    return pages.hasNoNulls() ? max : pages.nextEqual(max);
  }

  private void step(int rows) {
    pages.done(rows);
    position += rows;
  }
}
