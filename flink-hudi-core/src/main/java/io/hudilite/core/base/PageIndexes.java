package io.hudilite.core.base;

import io.hudilite.core.key.ByteText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.parquet.format.ColumnIndex;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.hadoop.metadata.IndexReference;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * What the pages of a file hold, as its page index tells: which rows a condition leaves over, and
 * where their pages are. The index of all columns is read at once, in front of the footer. Source:
 * PageIndex.md of Parquet's format.
 */
final class PageIndexes {
  /** An index that is larger is read in parts. */
  private static final int MAX_READ_BYTES = 1 << 20;

  private final FileBytes file;

  /** Where the index of all columns is; an empty one for none. */
  private final long areaStart;

  private final long areaEnd;
  @Nullable private ByteBuffer area;

  PageIndexes(FileBytes file, List<BlockMetaData> rowGroups) {
    this.file = file;
    long start = Long.MAX_VALUE;
    long end = 0;
    for (BlockMetaData rowGroup : rowGroups) {
      for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
        for (IndexReference at :
            new IndexReference[] {
              chunk.getColumnIndexReference(), chunk.getOffsetIndexReference()
            }) {
          if (at != null) {
            start = Math.min(start, at.getOffset());
            end = Math.max(end, at.getOffset() + at.getLength());
          }
        }
      }
    }
    this.areaStart = start;
    this.areaEnd = end;
  }

  /** The values in the pages of one column. */
  private record Column(OffsetIndex offsets, List<ColumnRange> pages, long rowCount) {
    int pageOf(long row) {
      int low = 0;
      int high = offsets.getPageCount() - 1;
      while (low < high) {
        int middle = (low + high + 1) >>> 1;
        if (offsets.getFirstRowIndex(middle) <= row) {
          low = middle;
        } else {
          high = middle - 1;
        }
      }
      return low;
    }

    long endOf(int page) {
      return page + 1 < offsets.getPageCount() ? offsets.getFirstRowIndex(page + 1) : rowCount;
    }
  }

  /** Which rows of a row group may be wanted, page by page. */
  RowRanges rowsFor(ColumnCondition condition, BlockMetaData rowGroup) throws IOException {
    long rowCount = rowGroup.getRowCount();
    Map<String, Column> columns = new HashMap<>();
    RowRanges rows = new RowRanges(rowCount);
    long row = 0;
    try {
      while (row < rowCount) {
        long start = row;
        // The answer holds up to the end of the first page of those that were asked for.
        long[] end = {rowCount};
        boolean wanted =
            condition.mayBeTrue(
                name -> {
                  Column column = columns.computeIfAbsent(name, key -> find(rowGroup, key));
                  if (column.pages.isEmpty()) {
                    return ColumnRange.UNKNOWN;
                  }
                  int page = column.pageOf(start);
                  end[0] = Math.min(end[0], column.endOf(page));
                  return column.pages.get(page);
                });
        if (end[0] <= row) {
          throw new IOException("The offset index has a page that ends before row " + row);
        }
        if (wanted) {
          rows.add(row, end[0]);
        }
        row = end[0];
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return rows;
  }

  private Column find(BlockMetaData rowGroup, String name) {
    Column unknown = new Column(null, List.of(), 0);
    try {
      for (ColumnChunkMetaData chunk : rowGroup.getColumns()) {
        if (chunk.getPath().size() == 1 && chunk.getPath().toDotString().equals(name)) {
          OffsetIndex offsets = offsetsOf(chunk);
          IndexReference at = chunk.getColumnIndexReference();
          if (offsets == null || at == null || !RowGroupRanges.isKnown(chunk.getPrimitiveType())) {
            return unknown;
          }
          ColumnIndex index = Util.readColumnIndex(stream(at));
          return new Column(offsets, ranges(index, offsets, chunk), rowGroup.getRowCount());
        }
      }
      return unknown;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<ColumnRange> ranges(
      ColumnIndex index, OffsetIndex offsets, ColumnChunkMetaData chunk) throws IOException {
    int count = offsets.getPageCount();
    if (count == 0
        || index.getNull_pages().size() != count
        || index.getMin_values().size() != count
        || index.getMax_values().size() != count) {
      throw new IOException(
          "The page index of column %s is of %d and of %d pages"
              .formatted(chunk.getPath(), count, index.getNull_pages().size()));
    }
    List<ColumnRange> ranges = new ArrayList<>(count);
    PrimitiveTypeName type = chunk.getPrimitiveType().getPrimitiveTypeName();
    for (int page = 0; page < count; page++) {
      ranges.add(
          index.getNull_pages().get(page)
              ? ColumnRange.NULLS
              : new ColumnRange(
                  value(type, index.getMin_values().get(page)),
                  value(type, index.getMax_values().get(page)),
                  true));
    }
    return ranges;
  }

  private static Comparable<?> value(PrimitiveTypeName type, ByteBuffer stored) {
    ByteBuffer bytes = stored.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    return switch (type) {
      case INT32 -> (long) bytes.getInt();
      case INT64 -> bytes.getLong();
      default -> {
        byte[] text = new byte[bytes.remaining()];
        bytes.get(text);
        yield ByteText.ofUtf8(text);
      }
    };
  }

  /** Null if the file does not tell where the pages are. */
  @Nullable
  OffsetIndex offsetsOf(ColumnChunkMetaData chunk) throws IOException {
    IndexReference at = chunk.getOffsetIndexReference();
    return at == null
        ? null
        : ParquetMetadataConverter.fromParquetOffsetIndex(Util.readOffsetIndex(stream(at)));
  }

  private ByteArrayInputStream stream(IndexReference at) throws IOException {
    ByteBuffer bytes;
    if (areaEnd - areaStart > MAX_READ_BYTES) {
      bytes = file.read(at.getOffset(), at.getLength());
    } else {
      if (area == null) {
        area = file.read(areaStart, areaEnd - areaStart);
      }
      bytes = area.slice((int) (at.getOffset() - areaStart), at.getLength());
    }
    return new ByteArrayInputStream(
        bytes.array(), bytes.arrayOffset() + bytes.position(), bytes.remaining());
  }
}
