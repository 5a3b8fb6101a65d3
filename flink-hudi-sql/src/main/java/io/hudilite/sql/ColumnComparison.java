package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.ColumnChanges;
import java.util.ArrayList;
import java.util.Collection;
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
final class ColumnComparison {
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
   * @param fixed columns whose type must stay: of key, partition and ordering
   * @throws HudiTableException if the table cannot take rows with these columns, in whatever order;
   *     it can if some are new and nullable, or wider
   */
  static void requireWritable(String table, RowType ddl, RowType stored, Collection<String> fixed) {
    ColumnChanges changes = new ColumnChanges(stored, ddl);
    List<String> problems = new ArrayList<>(changes.problems(fixed));
    for (String missing : changes.missing()) {
      NearestName.of(missing, changes.added())
          .ifPresent(
              name -> problems.add("Is '%s' a slip of the pen for '%s'?".formatted(name, missing)));
    }
    complain(table, "written", problems);
  }

  private static RowType asStored(RowType ddl) {
    return AvroSchemas.toRowType(AvroSchemas.toAvro(ddl, "ddl"));
  }

  private static String missing(String name, RowType stored) {
    return "Column '%s' is not in the table, whose columns are %s; the nearest one is '%s'. (A new column comes with the first commit of a job that writes it, or by ALTER TABLE.)"
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

  private static boolean fits(LogicalType stored, LogicalType declared) {
    if (stored instanceof RowType storedRow && declared instanceof RowType declaredRow) {
      for (RowType.RowField field : declaredRow.getFields()) {
        int index = storedRow.getFieldIndex(field.getName());
        if (index < 0 || !fits(storedRow.getTypeAt(index), field.getType())) {
          return false;
        }
      }
      return true;
    }
    if (stored instanceof ArrayType a && declared instanceof ArrayType b) {
      return fits(a.getElementType(), b.getElementType());
    }
    if (stored instanceof MapType a && declared instanceof MapType b) {
      return fits(a.getKeyType(), b.getKeyType()) && fits(a.getValueType(), b.getValueType());
    }
    if (isTimestamp(stored) && isTimestamp(declared)) {
      return true;
    }
    if (stored instanceof DecimalType a && declared instanceof DecimalType b) {
      return a.getScale() == b.getScale() && a.getPrecision() <= b.getPrecision();
    }
    if (stored.getTypeRoot() == declared.getTypeRoot()) {
      return true;
    }
    return widens(stored.getTypeRoot(), declared.getTypeRoot());
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
}
