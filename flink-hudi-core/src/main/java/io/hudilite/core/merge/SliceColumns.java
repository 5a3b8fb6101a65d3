package io.hudilite.core.merge;

import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Which columns of a slice are read: those that are wanted, in their order, and behind them those
 * that merging needs. Pure.
 */
final class SliceColumns {
  /** Boolean column of writers that send deletes as rows. Source: HoodieRecord of Hudi 1.0.2. */
  static final String IS_DELETED = "_hoodie_is_deleted";

  /**
   * Text column of Flink writers with {@code changelog.enabled}: {@code I}, {@code -U}, {@code U}
   * or {@code D}. Source: HoodieRecord, HoodieOperation of Hudi 1.0.2.
   */
  static final String OPERATION = "_hoodie_operation";

  private final RowType read;
  private final RowType readFromBase;

  private SliceColumns(RowType read, RowType readFromBase) {
    this.read = read;
    this.readFromBase = readFromBase;
  }

  /**
   * @param needs names of meta columns that are needed beside the wanted ones, and of ordering
   *     columns
   */
  static SliceColumns of(RowType wanted, TableSchema schema, Set<String> needs) {
    Map<String, LogicalType> columns = new LinkedHashMap<>();
    for (RowType.RowField field : wanted.getFields()) {
      LogicalType type = field.getType();
      int stored = schema.rowType().getFieldIndex(field.getName());
      if (needs.contains(field.getName()) && stored >= 0) {
        type = comparable(type, schema.rowType().getTypeAt(stored));
      }
      columns.put(field.getName(), type);
    }
    RowType read = rowType(columns);
    for (String name : needs) {
      if (!columns.containsKey(name)) {
        columns.put(
            name,
            MetaColumns.isMetaColumn(name)
                ? new VarCharType(VarCharType.MAX_LENGTH)
                : schema.rowType().getTypeAt(schema.rowType().getFieldIndex(name)));
      }
    }
    return new SliceColumns(read, rowType(columns));
  }

  /**
   * The wanted columns as they are read: ordering columns that hold times with all their digits, or
   * they would compare wrong.
   */
  RowType read() {
    return read;
  }

  /** {@link #read} and the columns that only merging needs. */
  RowType readFromBase() {
    return readFromBase;
  }

  private static LogicalType comparable(LogicalType wanted, LogicalType stored) {
    if (!isTime(wanted) || !isTime(stored)) {
      return wanted;
    }
    int precision =
        Math.max(LogicalTypeChecks.getPrecision(wanted), LogicalTypeChecks.getPrecision(stored));
    return wanted.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE
        ? new TimestampType(wanted.isNullable(), precision)
        : new LocalZonedTimestampType(wanted.isNullable(), precision);
  }

  static boolean isTime(LogicalType type) {
    return type.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE
        || type.getTypeRoot() == LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE;
  }

  private static RowType rowType(Map<String, LogicalType> columns) {
    List<RowType.RowField> fields = new ArrayList<>();
    columns.forEach((name, type) -> fields.add(new RowType.RowField(name, type)));
    return new RowType(false, fields);
  }
}
