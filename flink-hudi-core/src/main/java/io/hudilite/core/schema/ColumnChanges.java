package io.hudilite.core.schema;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/**
 * What a writer's declaration makes of the columns of a table that exists. Files are never
 * rewritten for it: they are read by the names of columns, so that columns may come in addition,
 * and whole numbers and floats may become wider. Whatever else differs is a problem. Types are
 * compared as they are stored, so that CHAR(3) agrees with STRING, SMALLINT with INT and TIMESTAMP
 * with TIMESTAMP_LTZ.
 */
public final class ColumnChanges {
  private final RowType stored;
  private final RowType declared;
  private final RowType declaredAsStored;

  private enum Fit {
    SAME,
    WIDER,
    NONE
  }

  /**
   * @param stored the table's own columns, as its schema says
   * @param declared those that rows are to be written with
   */
  public ColumnChanges(RowType stored, RowType declared) {
    this.stored = requireNonNull(stored, "stored");
    this.declared = requireNonNull(declared, "declared");
    this.declaredAsStored = AvroSchemas.toRowType(AvroSchemas.toAvro(declared, "declared"));
  }

  /** Whether the table gets another schema by rows with these columns. */
  public boolean isNone() {
    return declared.getFieldCount() == stored.getFieldCount()
        && stored.getFieldNames().stream().allMatch(name -> fit(name) == Fit.SAME);
  }

  /** Columns that the table does not have yet, in the order of the declaration. */
  public List<String> added() {
    return declared.getFieldNames().stream()
        .filter(name -> stored.getFieldIndex(name) < 0)
        .toList();
  }

  /** Columns of the table that the declaration lacks. */
  public List<String> missing() {
    return stored.getFieldNames().stream()
        .filter(name -> declared.getFieldIndex(name) < 0)
        .toList();
  }

  /**
   * Why the table cannot take such rows, a sentence each; empty if it can.
   *
   * @param fixed columns whose type must stay: of key, partition and ordering
   */
  public List<String> problems(Collection<String> fixed) {
    List<String> problems = new ArrayList<>();
    for (RowType.RowField column : declared.getFields()) {
      String name = column.getName();
      if (stored.getFieldIndex(name) < 0) {
        problemOfNew(column).ifPresent(problems::add);
      } else if (fit(name) == Fit.NONE) {
        problems.add(
            "Column '%s' is declared as %s, but %s in the table; INT may become BIGINT, FLOAT may become DOUBLE, and rows may get nullable fields, nothing else."
                .formatted(name, column.getType().asSummaryString(), textIn(stored, name)));
      } else if (fit(name) == Fit.WIDER && fixed.contains(name)) {
        problems.add(
            "Column '%s' is declared as %s, but %s in the table, and belongs to key, partition or ordering, whose types stay."
                .formatted(name, column.getType().asSummaryString(), textIn(stored, name)));
      }
    }
    for (String name : missing()) {
      problems.add(
          "The table has a column '%s' %s that is not declared: its values would be lost by updates."
              .formatted(name, textIn(stored, name)));
    }
    return problems;
  }

  private Optional<String> problemOfNew(RowType.RowField column) {
    Optional<String> twin =
        stored.getFieldNames().stream().filter(column.getName()::equalsIgnoreCase).findFirst();
    if (twin.isPresent()) {
      return Optional.of(
          "Column '%s' is not in the table, which has '%s': other engines do not tell the two apart."
              .formatted(column.getName(), twin.get()));
    }
    return column.getType().isNullable()
        ? Optional.empty()
        : Optional.of(
            "Column '%s' %s is new, and rows that are in the table have no value for it: it cannot be NOT NULL."
                .formatted(column.getName(), column.getType().asSummaryString()));
  }

  /**
   * The type of rows that are written: the columns of the table in its order, as they are declared
   * but null where the table says so, and then the new ones. Needs {@link #problems} to be empty.
   */
  public RowType rows() {
    List<RowType.RowField> fields = new ArrayList<>();
    for (String name : stored.getFieldNames()) {
      fields.add(field(name, adopt(typeIn(declared, name), typeIn(stored, name))));
    }
    for (String name : added()) {
      fields.add(field(name, typeIn(declared, name)));
    }
    return new RowType(declared.isNullable(), fields);
  }

  private RowType.RowField field(String name, LogicalType type) {
    return new RowType.RowField(
        name,
        type,
        declared.getFields().get(declared.getFieldIndex(name)).getDescription().orElse(null));
  }

  /** The declared columns in their own order, but null where the table says so. */
  public RowType declaredWithNullabilityOfTable() {
    return (RowType) adopt(declared, stored).copy(declared.isNullable());
  }

  /** Whether values of a declared type can be in a column without a change of the table. */
  public static boolean isStoredAs(LogicalType stored, LogicalType declared) {
    return new ColumnChanges(RowType.of(stored), RowType.of(declared)).isNone();
  }

  private Fit fit(String name) {
    return declared.getFieldIndex(name) < 0
        ? Fit.NONE
        : fit(typeIn(stored, name), typeIn(declaredAsStored, name));
  }

  private static LogicalType typeIn(RowType row, String name) {
    return row.getTypeAt(row.getFieldIndex(name));
  }

  private static String textIn(RowType row, String name) {
    return typeIn(row, name).asSummaryString();
  }

  private static Fit fit(LogicalType stored, LogicalType declared) {
    if (stored instanceof RowType a && declared instanceof RowType b) {
      return fitOfFields(a, b);
    }
    if (stored instanceof ArrayType a && declared instanceof ArrayType b) {
      return fit(a.getElementType(), b.getElementType());
    }
    if (stored instanceof MapType a && declared instanceof MapType b) {
      return fit(a.getValueType(), b.getValueType());
    }
    if (isTimestamp(stored) && isTimestamp(declared)) {
      return Timestamps.precisionOf(declared) <= Timestamps.precisionOf(stored)
          ? Fit.SAME
          : Fit.NONE;
    }
    if (stored instanceof DecimalType a && declared instanceof DecimalType b) {
      return a.getScale() == b.getScale() && a.getPrecision() == b.getPrecision()
          ? Fit.SAME
          : Fit.NONE;
    }
    if (stored.getTypeRoot() == declared.getTypeRoot()) {
      return Fit.SAME;
    }
    boolean isWider =
        (stored.is(LogicalTypeRoot.INTEGER) && declared.is(LogicalTypeRoot.BIGINT))
            || (stored.is(LogicalTypeRoot.FLOAT) && declared.is(LogicalTypeRoot.DOUBLE));
    return isWider ? Fit.WIDER : Fit.NONE;
  }

  private static Fit fitOfFields(RowType stored, RowType declared) {
    if (!Set.copyOf(declared.getFieldNames()).containsAll(stored.getFieldNames())) {
      return Fit.NONE;
    }
    Fit worst = Fit.SAME;
    for (RowType.RowField field : declared.getFields()) {
      int index = stored.getFieldIndex(field.getName());
      Fit own =
          index >= 0
              ? fit(stored.getTypeAt(index), field.getType())
              : field.getType().isNullable() ? Fit.WIDER : Fit.NONE;
      worst = own.compareTo(worst) > 0 ? own : worst;
    }
    return worst;
  }

  private static boolean isTimestamp(LogicalType type) {
    return type.is(LogicalTypeRoot.TIMESTAMP_WITHOUT_TIME_ZONE)
        || type.is(LogicalTypeRoot.TIMESTAMP_WITH_LOCAL_TIME_ZONE);
  }

  /** The declared type with the table's nullability. */
  private static LogicalType adopt(LogicalType declared, LogicalType stored) {
    if (declared instanceof RowType row && stored instanceof RowType storedRow) {
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
    if (declared instanceof ArrayType a && stored instanceof ArrayType b) {
      return new ArrayType(stored.isNullable(), adopt(a.getElementType(), b.getElementType()));
    }
    if (declared instanceof MapType a && stored instanceof MapType b) {
      return new MapType(
          stored.isNullable(), a.getKeyType(), adopt(a.getValueType(), b.getValueType()));
    }
    return declared.copy(stored.isNullable());
  }
}
