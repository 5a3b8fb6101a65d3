package io.hudilite.core.schema;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;

/**
 * The types in which a table stores columns that are declared with fewer digits: timestamps are
 * stored in milliseconds or microseconds, and one table keeps to one unit per column for ever,
 * since keys, ordering values and delete records hold the bare numbers. New tables store
 * microseconds, as Spark does: Hudi 1.0.2 takes milliseconds in a log file for microseconds.
 */
public final class StoredTypes {
  private StoredTypes() {}

  /** As a new table stores the columns: all timestamps in microseconds. */
  public static RowType ofNewTable(RowType declared) {
    return (RowType) micros(declared);
  }

  /**
   * As a table that exists stores the columns: those that it has in its own unit, if that holds all
   * digits of the declared type; others as a new table.
   *
   * @param stored the table's own columns, as its schema says
   */
  public static RowType in(RowType stored, RowType declared) {
    return (RowType) adopt(stored, declared);
  }

  private static LogicalType adopt(LogicalType stored, LogicalType declared) {
    if (declared instanceof RowType row && stored instanceof RowType storedRow) {
      List<RowType.RowField> fields = new ArrayList<>();
      for (RowType.RowField field : row.getFields()) {
        int index = storedRow.getFieldIndex(field.getName());
        LogicalType type =
            index < 0
                ? micros(field.getType())
                : adopt(storedRow.getTypeAt(index), field.getType());
        fields.add(named(field, type));
      }
      return new RowType(row.isNullable(), fields);
    }
    if (declared instanceof ArrayType a && stored instanceof ArrayType b) {
      return new ArrayType(a.isNullable(), adopt(b.getElementType(), a.getElementType()));
    }
    if (declared instanceof MapType a && stored instanceof MapType b) {
      return new MapType(a.isNullable(), a.getKeyType(), adopt(b.getValueType(), a.getValueType()));
    }
    if (isTimestamp(declared) && isTimestamp(stored)) {
      int digits = Timestamps.precisionOf(declared);
      return digits <= 3 && Timestamps.precisionOf(stored) <= 3
          ? withDigits(declared, 3)
          : micros(declared);
    }
    return micros(declared);
  }

  private static LogicalType micros(LogicalType type) {
    if (type instanceof RowType row) {
      return new RowType(
          row.isNullable(),
          row.getFields().stream().map(field -> named(field, micros(field.getType()))).toList());
    }
    if (type instanceof ArrayType array) {
      return new ArrayType(array.isNullable(), micros(array.getElementType()));
    }
    if (type instanceof MapType map) {
      return new MapType(map.isNullable(), map.getKeyType(), micros(map.getValueType()));
    }
    return isTimestamp(type) && Timestamps.precisionOf(type) <= 6 ? withDigits(type, 6) : type;
  }

  private static RowType.RowField named(RowType.RowField field, LogicalType type) {
    return new RowType.RowField(field.getName(), type, field.getDescription().orElse(null));
  }

  private static LogicalType withDigits(LogicalType type, int digits) {
    return type instanceof TimestampType
        ? new TimestampType(type.isNullable(), digits)
        : new LocalZonedTimestampType(type.isNullable(), digits);
  }

  private static boolean isTimestamp(LogicalType type) {
    return type instanceof TimestampType || type instanceof LocalZonedTimestampType;
  }
}
