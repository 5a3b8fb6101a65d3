package io.hudilite.core.merge;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.key.OrderingValue.Kind;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Finds the ordering value in rows. Its kind and unit are those of the stored column, whatever the
 * type in which the column is read, so that values of rows and of delete records compare. A null
 * counts as int 0. Source: Hudi 1.0.2 OrderingValues.
 */
final class OrderingColumns {
  private final Column[] columns;

  /**
   * @param names compared one after the other
   * @param read the rows' type; has all of {@code names}
   * @param stored the table's type
   */
  OrderingColumns(List<String> names, RowType read, RowType stored) {
    columns = new Column[names.size()];
    for (int i = 0; i < columns.length; i++) {
      int position = read.getFieldIndex(names.get(i));
      LogicalType storedType = stored.getTypeAt(stored.getFieldIndex(names.get(i)));
      columns[i] = new Column(names.get(i), position, read.getTypeAt(position), storedType);
    }
  }

  void read(RowData row, boolean isDelete, Version target) {
    if (columns.length == 1) {
      columns[0].read(row, isDelete, target);
      return;
    }
    if (columns.length == 0) {
      target.setNone(isDelete);
      return;
    }
    List<OrderingValue> values = new ArrayList<>(columns.length);
    for (Column column : columns) {
      column.read(row, isDelete, target);
      values.add(target.toOrderingValue());
    }
    target.set(isDelete, OrderingValue.ofList(values));
  }

  private static final class Column {
    private final int position;
    private final LogicalTypeRoot readRoot;
    private final Kind kind;
    private final boolean isTime;
    private final boolean inMillis;
    private final LogicalType readType;

    /** Of times. */
    private final int readPrecision;

    Column(String name, int position, LogicalType readType, LogicalType storedType) {
      this.position = position;
      this.readType = readType;
      this.readRoot = readType.getTypeRoot();
      this.isTime =
          storedType.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE
              || storedType.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
      this.readPrecision =
          SliceColumns.isTime(readType) ? LogicalTypeChecks.getPrecision(readType) : 0;
      this.inMillis = isTime && LogicalTypeChecks.getPrecision(storedType) <= 3;
      this.kind =
          switch (storedType.getTypeRoot()) {
            case BOOLEAN -> Kind.BOOLEAN;
            case TINYINT, SMALLINT, INTEGER, DATE -> Kind.INT;
            case BIGINT, TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> Kind.LONG;
            case FLOAT -> Kind.FLOAT;
            case DOUBLE -> Kind.DOUBLE;
            case CHAR, VARCHAR -> Kind.STRING;
            case BINARY, VARBINARY -> Kind.BYTES;
            case DECIMAL -> Kind.DECIMAL;
            default ->
                throw new HudiTableException(
                    ("The ordering column '%s' has the type %s, whose values have no order."
                            + " Choose a number, string, date or timestamp column.")
                        .formatted(name, storedType));
          };
    }

    void read(RowData row, boolean isDelete, Version target) {
      if (row.isNullAt(position)) {
        target.setNumber(isDelete, Kind.INT, 0);
        return;
      }
      switch (kind) {
        case INT, LONG -> target.setNumber(isDelete, kind, number(row));
        case BOOLEAN -> target.set(isDelete, OrderingValue.ofBoolean(row.getBoolean(position)));
        case FLOAT -> target.set(isDelete, OrderingValue.ofFloat((float) floating(row)));
        case DOUBLE -> target.set(isDelete, OrderingValue.ofDouble(floating(row)));
        case STRING ->
            target.set(isDelete, OrderingValue.ofString(row.getString(position).toBytes()));
        case BYTES -> target.set(isDelete, OrderingValue.ofBytes(row.getBinary(position).clone()));
        case DECIMAL -> {
          DecimalType type = (DecimalType) readType;
          target.set(
              isDelete,
              OrderingValue.ofDecimal(
                  row.getDecimal(position, type.getPrecision(), type.getScale()).toBigDecimal()));
        }
        case NONE, LIST -> throw new IllegalStateException("No column has the kind " + kind);
      }
    }

    private long number(RowData row) {
      if (isTime) {
        TimestampData time = row.getTimestamp(position, readPrecision);
        return inMillis
            ? time.getMillisecond()
            : time.getMillisecond() * 1000 + time.getNanoOfMillisecond() / 1000;
      }
      return switch (readRoot) {
        case TINYINT -> row.getByte(position);
        case SMALLINT -> row.getShort(position);
        case BIGINT -> row.getLong(position);
        default -> row.getInt(position);
      };
    }

    private double floating(RowData row) {
      return readRoot == LogicalTypeRoot.DOUBLE ? row.getDouble(position) : row.getFloat(position);
    }
  }
}
