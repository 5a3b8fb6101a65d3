package io.hudilite.core.base;

import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Takes values out of pages into a vector of Flink. Values of the PLAIN encoding come straight from
 * the page's bytes, those of a dictionary from an array, all others from Parquet's readers.
 */
interface FlatVector {

  /** The one that is filled. */
  ColumnVector vector();

  /** Goes on with a new vector; the old one is not touched any more. */
  void renew();

  /** Keeps the dictionary in a form of its own. */
  void startDictionary(Dictionary dictionary);

  void resetNulls();

  void setNull(int row);

  /** Reads the next {@code count} values that are there into rows from {@code row} on. */
  void readValues(FlatPages pages, int row, int count);

  /** Steps over values that are there. */
  void skipValues(FlatPages pages, int count);

  /** Whether PLAIN values are taken from the page's bytes. */
  default boolean readsPlain() {
    return true;
  }

  /** Null where the stored type needs a conversion that {@link ScalarReader} does. */
  @Nullable
  static FlatVector of(PrimitiveType stored, LogicalType wanted, int batchRows) {
    PrimitiveTypeName physical = stored.getPrimitiveTypeName();
    return switch (wanted.getTypeRoot()) {
      case BOOLEAN ->
          physical == PrimitiveTypeName.BOOLEAN ? new NumberVectors.Booleans(batchRows) : null;
      case INTEGER, DATE -> ScalarReader.isInt32(stored) ? new NumberVectors.Ints(batchRows) : null;
      case BIGINT -> ScalarReader.isPlainLong(stored) ? new NumberVectors.Longs(batchRows) : null;
      case FLOAT ->
          physical == PrimitiveTypeName.FLOAT ? new NumberVectors.Floats(batchRows) : null;
      case DOUBLE ->
          physical == PrimitiveTypeName.DOUBLE ? new NumberVectors.Doubles(batchRows) : null;
      case CHAR, VARCHAR, BINARY, VARBINARY ->
          physical == PrimitiveTypeName.BINARY && ScalarReader.decimalOf(stored).isEmpty()
              ? new TextVector(batchRows)
              : null;
      case DECIMAL ->
          isCompact(stored, (DecimalType) wanted) ? new DecimalVector(stored, batchRows) : null;
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          physical == PrimitiveTypeName.INT64
                  && (ScalarReader.isPlainLong(stored)
                      || ScalarReader.timestampOf(stored).isPresent())
              ? new TimestampVector(
                  ScalarReader.TimeUnits.of(stored, LogicalTypeChecks.getPrecision(wanted)),
                  batchRows)
              : null;
      default -> null;
    };
  }

  /** Whether each stored value is a long of the wanted scale and fits in the wanted precision. */
  private static boolean isCompact(PrimitiveType stored, DecimalType wanted) {
    DecimalLogicalTypeAnnotation decimal = ScalarReader.decimalOf(stored).orElse(null);
    return decimal != null
        && stored.getPrimitiveTypeName() != PrimitiveTypeName.BINARY
        && decimal.getScale() == wanted.getScale()
        && decimal.getPrecision() <= wanted.getPrecision()
        && DecimalData.isCompact(wanted.getPrecision())
        && stored.getTypeLength() <= Long.BYTES;
  }

  /** Which rows are null, for vectors that Flink does not have. */
  abstract class Nulls implements ColumnVector {
    private final boolean[] isNull;
    private boolean anyNull;

    Nulls(int rows) {
      this.isNull = new boolean[rows];
    }

    final void resetNulls() {
      if (anyNull) {
        Arrays.fill(isNull, false);
        anyNull = false;
      }
    }

    final void setNull(int row) {
      isNull[row] = true;
      anyNull = true;
    }

    @Override
    public final boolean isNullAt(int row) {
      return anyNull && isNull[row];
    }
  }
}
