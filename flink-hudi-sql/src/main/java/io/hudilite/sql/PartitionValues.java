package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyParser;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sql.PartitionCondition.PartitionValue;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

/** Tells what is known of the values of the partition columns by the name of a folder. */
final class PartitionValues implements Serializable {
  private static final long serialVersionUID = 1L;

  private final TableSchema schema;
  private final KeyFormat format;

  /** Made anew on each machine: the parser is no part of the job graph. */
  @Nullable private transient volatile KeyParser parser;

  PartitionValues(TableSchema schema, KeyFormat format) {
    this.schema = requireNonNull(schema, "schema");
    this.format = requireNonNull(format, "format");
  }

  List<PartitionValue> of(String partitionPath) {
    if (parser == null) {
      parser = new KeyParser(schema, format);
    }
    List<PartitionValue> values = new ArrayList<>();
    Object[] known;
    try {
      known = parser.partitionValues(partitionPath);
    } catch (HudiTableException | IllegalArgumentException e) {
      // Another engine's way to name folders: read it, the rows will be filtered.
      known = null;
    }
    for (int i = 0; i < schema.partitionColumns().size(); i++) {
      values.add(known == null ? new PartitionValue.Unknown() : valueOf(typeOf(i), known[i]));
    }
    return values;
  }

  private LogicalType typeOf(int column) {
    return schema.rowType().getTypeAt(schema.indexesOf(schema.partitionColumns())[column]);
  }

  private static PartitionValue valueOf(LogicalType type, @Nullable Object value) {
    if (!PartitionPruning.isComparable(type)) {
      return new PartitionValue.Unknown();
    }
    if (value == null) {
      return type.is(LogicalTypeRoot.VARCHAR)
          ? new PartitionValue.NullOrEmpty()
          : new PartitionValue.Known(null);
    }
    if (value instanceof Number number) {
      return new PartitionValue.Known(number.longValue());
    }
    if (value instanceof Boolean known) {
      return new PartitionValue.Known(known);
    }
    return new PartitionValue.Known(value.toString());
  }
}
