package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.AvroSchemas;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Compares the columns of a DDL with those of the table. Types are compared as the table stores
 * them, so that CHAR(3) agrees with STRING, SMALLINT with INT and TIMESTAMP with TIMESTAMP_LTZ.
 */
public final class ColumnComparison {
  private ColumnComparison() {}

  /**
   * @throws HudiTableException if a column of the DDL is not in the table, or values of the table
   *     do not fit into its type
   */
  static void requireReadable(String table, RowType ddl, RowType stored) {
    List<String> problems = new ArrayList<>();
    RowType asStored = asStored(ddl);
    for (RowType.RowField column : asStored.getFields()) {
      int index = stored.getFieldIndex(column.getName());
      if (index < 0) {
        problems.add(missing(column.getName(), stored));
      } else if (!fits(stored.getTypeAt(index), column.getType())) {
        problems.add(different(ddl, column.getName(), stored.getTypeAt(index)));
      }
    }
    complain(table, "read", problems);
  }

  /**
   * @throws HudiTableException if the columns are not the same, in whatever order
   */
  static void requireWritable(String table, RowType ddl, RowType stored) {
    List<String> problems = new ArrayList<>();
    RowType asStored = asStored(ddl);
    for (RowType.RowField column : asStored.getFields()) {
      int index = stored.getFieldIndex(column.getName());
      if (index < 0) {
        problems.add(
            missing(column.getName(), stored)
                + " New columns cannot be added by writing in this version.");
      } else if (!same(stored.getTypeAt(index), column.getType())) {
        problems.add(different(ddl, column.getName(), stored.getTypeAt(index)));
      }
    }
    for (RowType.RowField column : stored.getFields()) {
      if (ddl.getFieldIndex(column.getName()) < 0) {
        problems.add(
            "The table has a column '%s' %s that the DDL lacks; add it."
                .formatted(column.getName(), column.getType()));
      }
    }
    complain(table, "written", problems);
  }

  /** Whether values of a declared type can be in a column without a change of the table. */
  public static boolean isStoredAs(LogicalType stored, LogicalType declared) {
    return same(stored, asStored(RowType.of(declared)).getTypeAt(0));
  }

  /** The DDL's type with the table's nullability, so that a write changes no schema. */
  static RowType withNullabilityOf(RowType ddl, RowType stored) {
    return (RowType) adopt(ddl, stored).copy(ddl.isNullable());
  }

  private static RowType asStored(RowType ddl) {
    return AvroSchemas.toRowType(AvroSchemas.toAvro(ddl, "ddl"));
  }

  private static String missing(String name, RowType stored) {
    return "Column '%s' is not in the table, whose columns are %s; the nearest one is '%s'."
        .formatted(
            name, stored.getFieldNames(), NearestName.of(name, stored.getFieldNames()).orElse(""));
  }

  private static String different(RowType ddl, String name, LogicalType stored) {
    return "Column '%s' is %s in the DDL, but %s in the table."
        .formatted(name, ddl.getTypeAt(ddl.getFieldIndex(name)), stored);
  }

  private static void complain(String table, String verb, List<String> problems) {
    if (!problems.isEmpty()) {
      throw new HudiTableException(
          "Table %s cannot be %s with the columns of the DDL. %s Make the DDL agree with the table, or use another 'path'."
              .formatted(table, verb, String.join(" ", problems)));
    }
  }

  private static boolean same(LogicalType stored, LogicalType declared) {
    return agree(stored, declared, false);
  }

  private static boolean fits(LogicalType stored, LogicalType declared) {
    return agree(stored, declared, true);
  }

  private static boolean agree(LogicalType stored, LogicalType declared, boolean mayWiden) {
    if (stored instanceof RowType storedRow && declared instanceof RowType declaredRow) {
      for (RowType.RowField field : declaredRow.getFields()) {
        int index = storedRow.getFieldIndex(field.getName());
        if (index < 0 || !agree(storedRow.getTypeAt(index), field.getType(), mayWiden)) {
          return false;
        }
      }
      return mayWiden || storedRow.getFieldCount() == declaredRow.getFieldCount();
    }
    if (stored instanceof ArrayType a && declared instanceof ArrayType b) {
      return agree(a.getElementType(), b.getElementType(), mayWiden);
    }
    if (stored instanceof MapType a && declared instanceof MapType b) {
      return agree(a.getKeyType(), b.getKeyType(), mayWiden)
          && agree(a.getValueType(), b.getValueType(), mayWiden);
    }
    if (isTimestamp(stored) && isTimestamp(declared)) {
      return mayWiden || precision(declared) <= precision(stored);
    }
    if (stored instanceof DecimalType a && declared instanceof DecimalType b) {
      return a.getScale() == b.getScale()
          && (a.getPrecision() == b.getPrecision()
              || (mayWiden && a.getPrecision() < b.getPrecision()));
    }
    if (stored.getTypeRoot() == declared.getTypeRoot()) {
      return true;
    }
    return mayWiden && widens(stored.getTypeRoot(), declared.getTypeRoot());
  }

  private static boolean widens(LogicalTypeRoot from, LogicalTypeRoot to) {
    List<LogicalTypeRoot> numbers =
        List.of(
            LogicalTypeRoot.INTEGER,
            LogicalTypeRoot.BIGINT,
            LogicalTypeRoot.FLOAT,
            LogicalTypeRoot.DOUBLE);
    if (to == LogicalTypeRoot.VARCHAR) {
      return numbers.contains(from);
    }
    return numbers.contains(from)
        && numbers.contains(to)
        && numbers.indexOf(from) < numbers.indexOf(to);
  }

  private static boolean isTimestamp(LogicalType type) {
    return type.is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)
        || type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE);
  }

  private static int precision(LogicalType timestamp) {
    return org.apache.flink.table.types.logical.utils.LogicalTypeChecks.getPrecision(timestamp);
  }

  private static LogicalType adopt(LogicalType ddl, LogicalType stored) {
    if (ddl instanceof RowType row && stored instanceof RowType storedRow) {
      List<RowType.RowField> fields = new ArrayList<>();
      for (RowType.RowField field : row.getFields()) {
        int index = storedRow.getFieldIndex(field.getName());
        fields.add(
            new RowType.RowField(
                field.getName(),
                index < 0 ? field.getType() : adopt(field.getType(), storedRow.getTypeAt(index)),
                field.getDescription().orElse(null)));
      }
      return new RowType(stored.isNullable(), fields);
    }
    if (ddl instanceof ArrayType a && stored instanceof ArrayType b) {
      return new ArrayType(stored.isNullable(), adopt(a.getElementType(), b.getElementType()));
    }
    if (ddl instanceof MapType a && stored instanceof MapType b) {
      return new MapType(
          stored.isNullable(), a.getKeyType(), adopt(a.getValueType(), b.getValueType()));
    }
    return ddl.copy(stored.isNullable());
  }
}
