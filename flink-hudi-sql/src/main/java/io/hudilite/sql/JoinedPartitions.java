package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.DynamicPartitions;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.sql.PartitionCondition.PartitionValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.connector.source.DynamicFilteringData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** Leaves out the partitions whose values no row on the other side of a join has. */
final class JoinedPartitions implements DynamicPartitions {
  private static final long serialVersionUID = 1L;

  /** Which the operators of Flink's planner for this have among their fields. */
  private static final String CLASS_OF_THE_PLANNER = "scala.collection.convert.Wrappers$SeqWrapper";

  private final TableSchema schema;
  private final KeyFormat format;
  private final List<String> columns;

  /**
   * @param columns partition columns, in the order of the values of the other side
   */
  JoinedPartitions(TableSchema schema, KeyFormat format, List<String> columns) {
    this.schema = requireNonNull(schema, "schema");
    this.format = requireNonNull(format, "format");
    // The planner's lists are of classes that only it knows.
    this.columns = new ArrayList<>(columns);
  }

  /**
   * Whether jobs with such joins run: Flink (1.20 to 2.3) puts lists of Scala's into them, and
   * fails where there is no Scala beside it. Its distributions have it in {@code flink-scala}.
   */
  static boolean canBeTold() {
    try {
      Class.forName(CLASS_OF_THE_PLANNER, false, JoinedPartitions.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  @Override
  public PartitionFilter of(DynamicFilteringData values) {
    return values.isFiltering() && PartitionPruning.tellsValues(format)
        ? new Known(values, new PartitionValues(schema, format), indexes())
        : PartitionFilter.ALL;
  }

  private int[] indexes() {
    return columns.stream().mapToInt(schema.partitionColumns()::indexOf).toArray();
  }

  private record Known(DynamicFilteringData values, PartitionValues parser, int[] columns)
      implements PartitionFilter {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean test(String partitionPath) {
      List<PartitionValue> known = parser.of(partitionPath);
      RowType type = values.getRowType();
      GenericRowData row = new GenericRowData(columns.length);
      for (int i = 0; i < columns.length; i++) {
        if (!(known.get(columns[i]) instanceof PartitionValue.Known value)) {
          return true;
        }
        Optional<Object> internal =
            value.value() == null ? Optional.empty() : internal(value.value(), type.getTypeAt(i));
        if (internal.isEmpty()) {
          return true;
        }
        row.setField(i, internal.get());
      }
      return values.contains(row);
    }

    private static Optional<Object> internal(Comparable<?> value, LogicalType type) {
      if (value instanceof Long number) {
        return switch (type.getTypeRoot()) {
          case TINYINT -> Optional.of(number.byteValue());
          case SMALLINT -> Optional.of(number.shortValue());
          case INTEGER, DATE -> Optional.of(number.intValue());
          case BIGINT -> Optional.of(number);
          default -> Optional.empty();
        };
      }
      return switch (type.getTypeRoot()) {
        case VARCHAR ->
            value instanceof String text
                ? Optional.of(StringData.fromString(text))
                : Optional.empty();
        case BOOLEAN -> value instanceof Boolean ? Optional.of(value) : Optional.empty();
        default -> Optional.empty();
      };
    }
  }
}
