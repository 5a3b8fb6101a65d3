package io.hudilite.core.base;

import java.io.IOException;
import java.util.function.Function;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.parquet.VersionParser.ParsedVersion;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.impl.ColumnReaderImpl;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/** One wanted column: fills a vector with the next rows of the file. */
interface BatchColumn {

  /** The one that is filled: the same until {@link #renew}. */
  ColumnVector vector();

  /** Goes on with a new vector; the old one is not touched any more. */
  void renew();

  /** Goes to the begin of a row group. */
  void startRowGroup(RowGroupPages pages) throws IOException;

  /** Goes to a row of the row group that was not read yet. */
  void seek(long row) throws IOException;

  /** Fills the vector from its begin. */
  void read(int rows) throws IOException;

  /**
   * The way to read a column.
   *
   * @param schema of the read columns
   * @param type the column in it, as {@link Projection} made it
   * @param createdBy what wrote the file, as Parquet needs it to know old writers' faults
   */
  static BatchColumn of(
      MessageType schema, Type type, LogicalType wanted, ParsedVersion createdBy, int batchRows) {
    if (type.isPrimitive() && !type.isRepetition(Type.Repetition.REPEATED)) {
      FlatColumn flat =
          FlatColumn.of(
              schema.getColumnDescription(new String[] {type.getName()}), wanted, batchRows);
      if (flat != null) {
        return flat;
      }
    }
    return new Assembled(NestedReader.of(schema, type, wanted), createdBy, batchRows);
  }

  /** A column that the file does not have. */
  record Missing(ColumnVector vector) implements BatchColumn {
    static Missing ofRows(int batchRows) {
      return new Missing(new ObjectVector(batchRows));
    }

    @Override
    public void renew() {
      // It has the same nulls for ever.
    }

    @Override
    public void startRowGroup(RowGroupPages pages) {}

    @Override
    public void seek(long row) {}

    @Override
    public void read(int rows) {}
  }

  /** A column whose values are put together one by one. */
  final class Assembled implements BatchColumn {
    private static final PrimitiveConverter NO_CONVERTER = new PrimitiveConverter() {};

    private final NestedReader reader;
    private final ParsedVersion createdBy;
    private final int batchRows;
    private ObjectVector vector;
    private long position;

    private Assembled(NestedReader reader, ParsedVersion createdBy, int batchRows) {
      this.reader = reader;
      this.createdBy = createdBy;
      this.batchRows = batchRows;
      this.vector = new ObjectVector(batchRows);
    }

    @Override
    public ColumnVector vector() {
      return vector;
    }

    @Override
    public void renew() {
      vector = new ObjectVector(batchRows);
    }

    @Override
    public void startRowGroup(RowGroupPages pages) {
      position = 0;
      Function<ColumnDescriptor, ColumnReader> columns =
          descriptor ->
              new ColumnReaderImpl(descriptor, pages.pagesOf(descriptor), NO_CONVERTER, createdBy);
      reader.bind(columns);
    }

    /** All pages of such columns are read, since their values are found one after the other. */
    @Override
    public void seek(long row) {
      for (; position < row; position++) {
        reader.readOrNull();
      }
    }

    @Override
    public void read(int rows) {
      for (int row = 0; row < rows; row++) {
        vector.set(row, reader.readOrNull());
      }
      position += rows;
    }
  }
}
