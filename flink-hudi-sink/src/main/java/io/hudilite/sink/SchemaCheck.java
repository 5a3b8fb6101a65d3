package io.hudilite.sink;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.StoredTypes;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.RowType;

/** Compares the columns of a table with those that are to be written. */
final class SchemaCheck {
  private SchemaCheck() {}

  /**
   * @throws HudiTableException if a column of the table would be lost, or has another type
   */
  static void requireSame(HudiTable table, RowType declared, String path) throws IOException {
    table.requireNamesStay();
    TableSchema stored = table.schema();
    Schema storedAvro = avro(stored.rowType());
    Schema declaredAvro = avro(StoredTypes.in(stored.rowType(), declared));
    List<String> wrong = new ArrayList<>();
    for (Schema.Field field : storedAvro.getFields()) {
      Schema.Field own = declaredAvro.getField(field.name());
      if (own == null) {
        wrong.add("column '%s' is not declared".formatted(field.name()));
      } else if (!plain(own.schema()).equals(plain(field.schema()))) {
        wrong.add(
            "column '%s' is %s in the table and %s as declared"
                .formatted(
                    field.name(),
                    stored.rowType().getTypeAt(stored.rowType().getFieldIndex(field.name())),
                    declared.getTypeAt(declared.getFieldIndex(field.name()))));
      }
    }
    if (!wrong.isEmpty()) {
      throw new HudiTableException(
          "The columns declared for the table at '%s' are not those it has: %s. The table has %s. Declare the same columns; new ones may be added at the end."
              .formatted(path, String.join("; ", wrong), stored.rowType().asSummaryString()));
    }
  }

  private static Schema avro(RowType rowType) {
    return io.hudilite.core.schema.AvroSchemas.toAvro(rowType, "t");
  }

  /** The type without "or null": whether nulls are written is checked row by row. */
  private static Schema plain(Schema schema) {
    if (schema.isUnion()) {
      return schema.getTypes().stream()
          .filter(type -> type.getType() != Schema.Type.NULL)
          .findFirst()
          .orElse(schema);
    }
    return schema;
  }
}
