package io.hudilite.core.base;

import io.hudilite.core.key.ByteText;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.StringLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;

/**
 * The values in the columns of a row group, as its statistics tell. Whole numbers, days (since
 * 1970) and texts are known; of other types, and of columns that the file does not have, nothing.
 */
final class RowGroupRanges implements Function<String, ColumnRange> {
  private final BlockMetaData rowGroup;

  RowGroupRanges(BlockMetaData rowGroup) {
    this.rowGroup = rowGroup;
  }

  @Override
  public ColumnRange apply(String column) {
    return chunk(column).map(RowGroupRanges::rangeOf).orElse(ColumnRange.UNKNOWN);
  }

  ColumnSummary summary(String column) {
    return chunk(column)
        .map(chunk -> new ColumnSummary(rangeOf(chunk), nullsOf(chunk)))
        .orElse(ColumnSummary.UNKNOWN);
  }

  private Optional<ColumnChunkMetaData> chunk(String column) {
    return rowGroup.getColumns().stream()
        .filter(chunk -> chunk.getPath().size() == 1 && chunk.getPath().toArray()[0].equals(column))
        .findFirst();
  }

  private static OptionalLong nullsOf(ColumnChunkMetaData chunk) {
    Statistics<?> statistics = chunk.getStatistics();
    return statistics != null && statistics.isNumNullsSet()
        ? OptionalLong.of(statistics.getNumNulls())
        : OptionalLong.empty();
  }

  private static ColumnRange rangeOf(ColumnChunkMetaData chunk) {
    Statistics<?> statistics = chunk.getStatistics();
    if (statistics == null || statistics.isEmpty()) {
      return ColumnRange.UNKNOWN;
    }
    if (!statistics.hasNonNullValue()) {
      return statistics.isNumNullsSet() && statistics.getNumNulls() == chunk.getValueCount()
          ? ColumnRange.NULLS
          : ColumnRange.UNKNOWN;
    }
    PrimitiveType type = chunk.getPrimitiveType();
    if (!isKnown(type)) {
      return ColumnRange.UNKNOWN;
    }
    return switch (type.getPrimitiveTypeName()) {
      case INT32, INT64 ->
          new ColumnRange(
              ((Number) statistics.genericGetMin()).longValue(),
              ((Number) statistics.genericGetMax()).longValue(),
              true);
      default ->
          new ColumnRange(text(statistics.genericGetMin()), text(statistics.genericGetMax()), true);
    };
  }

  /** Whether it is a type whose values conditions know. */
  static boolean isKnown(PrimitiveType type) {
    LogicalTypeAnnotation meaning = type.getLogicalTypeAnnotation();
    return switch (type.getPrimitiveTypeName()) {
      case INT32, INT64 -> isWholeNumber(meaning);
      case BINARY -> meaning instanceof StringLogicalTypeAnnotation;
      case BOOLEAN, FLOAT, DOUBLE, INT96, FIXED_LEN_BYTE_ARRAY -> false;
    };
  }

  private static boolean isWholeNumber(LogicalTypeAnnotation meaning) {
    return meaning == null
        || meaning instanceof DateLogicalTypeAnnotation
        || (meaning instanceof IntLogicalTypeAnnotation number && number.isSigned());
  }

  private static ByteText text(Object value) {
    return ByteText.ofUtf8(((Binary) value).getBytes());
  }
}
