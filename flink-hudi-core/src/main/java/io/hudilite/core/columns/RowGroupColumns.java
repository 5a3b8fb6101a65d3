package io.hudilite.core.columns;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.impl.ColumnWriteStoreV1;
import org.apache.parquet.column.page.PageWriteStore;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * The columns of one row group: those that are not nested are {@link FlatColumn}s, the others are
 * Parquet's own. Not safe for use by several threads.
 */
public final class RowGroupColumns implements ColumnWriteStore {
  private final Map<ColumnDescriptor, FlatColumn> flat = new LinkedHashMap<>();
  private final Map<ColumnDescriptor, ColumnWriter> all = new HashMap<>();

  /** Null if no column is nested. */
  @Nullable private final ColumnWriteStore nested;

  /**
   * The columns of a schema.
   *
   * @param properties of nested columns; of others page size, rows of a page and dictionary size
   * @param plainColumns names of columns that are not nested and get no dictionary
   * @param sampleValues after so many values it is decided which of the others keep theirs
   */
  @SuppressWarnings("deprecation") // the other constructor makes writers of flat columns, too
  public RowGroupColumns(
      MessageType schema,
      PageWriteStore pages,
      ParquetProperties properties,
      Set<String> plainColumns,
      int sampleValues) {
    PageLimits limits = PageLimits.of(properties, sampleValues);
    ColumnWriteStore parquet = null;
    for (ColumnDescriptor column : schema.getColumns()) {
      if (column.getPath().length == 1 && column.getMaxRepetitionLevel() == 0) {
        boolean isPlain = plainColumns.contains(column.getPath()[0]);
        FlatColumn writer = newColumn(column, pages, limits, isPlain);
        flat.put(column, writer);
        all.put(column, writer);
      } else {
        if (parquet == null) {
          parquet = new ColumnWriteStoreV1(pages, properties);
        }
        all.put(column, parquet.getColumnWriter(column));
      }
    }
    nested = parquet;
  }

  /** Dictionaries are for the types that Parquet's format version 1 has them for. */
  private static FlatColumn newColumn(
      ColumnDescriptor column, PageWriteStore pages, PageLimits limits, boolean isPlain) {
    PrimitiveTypeName type = column.getPrimitiveType().getPrimitiveTypeName();
    return switch (type) {
      case INT32, INT64, FLOAT, DOUBLE ->
          new NumberColumn(
              column,
              pages.getPageWriter(column),
              limits,
              isPlain ? null : new NumberDictionary(NumberColumn.widthOf(type)));
      case BINARY ->
          new BytesColumn(
              column, pages.getPageWriter(column), limits, isPlain ? null : new BytesDictionary());
      case FIXED_LEN_BYTE_ARRAY ->
          new BytesColumn(column, pages.getPageWriter(column), limits, null);
      case BOOLEAN -> new BooleanColumn(column, pages.getPageWriter(column), limits);
      case INT96 -> throw new IllegalArgumentException(column + " is never written");
    };
  }

  @Override
  public ColumnWriter getColumnWriter(ColumnDescriptor column) {
    return all.get(column);
  }

  /** Null if the column is nested. */
  @Nullable
  public FlatColumn flat(ColumnDescriptor column) {
    return flat.get(column);
  }

  @Override
  public void endRecord() {
    if (nested != null) {
      nested.endRecord();
    }
  }

  @Override
  public void flush() {
    flat.values().forEach(FlatColumn::finish);
    if (nested != null) {
      nested.flush();
    }
  }

  @Override
  public long getAllocatedSize() {
    return getBufferedSize();
  }

  @Override
  public long getBufferedSize() {
    long bytes = nested == null ? 0 : nested.getBufferedSize();
    for (FlatColumn column : flat.values()) {
      bytes += column.getBufferedSizeInMemory();
    }
    return bytes;
  }

  @Override
  public String memUsageString() {
    return getBufferedSize() + " bytes in " + all.size() + " columns";
  }

  @Override
  public void close() {
    if (nested != null) {
      nested.close();
    }
  }
}
