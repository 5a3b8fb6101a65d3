package io.hudilite.core.base;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.annotation.Nullable;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;

/**
 * Puts values together from the leaf columns of a nested column by their repetition and definition
 * levels. Built once per file; {@link #bind} points the leaves to the columns of each row group.
 */
abstract class NestedReader {
  /** The definition level at which this node is there. */
  private final int definition;

  private NestedReader(int definition) {
    this.definition = definition;
  }

  abstract void bind(Function<ColumnDescriptor, ColumnReader> columns);

  /** Any leaf below: all of them agree on the levels down to this node. */
  abstract ColumnReader leaf();

  /** Reads the value at the cursor, which is there. */
  abstract Object read();

  /** Steps over a place where nothing is. */
  abstract void skip();

  /** Reads the value at the cursor, or null. */
  @Nullable
  final Object readOrNull() {
    if (leaf().getCurrentDefinitionLevel() >= definition) {
      return read();
    }
    skip();
    return null;
  }

  /**
   * The reader of a column.
   *
   * @param schema of the read columns
   * @param type the column in it, as {@link Projection} made it
   */
  static NestedReader of(MessageType schema, Type type, LogicalType wanted) {
    return of(schema, new ArrayList<>(), type, wanted);
  }

  private static NestedReader of(
      MessageType schema, List<String> parents, Type type, LogicalType wanted) {
    List<String> names = new ArrayList<>(parents);
    names.add(type.getName());
    String[] path = names.toArray(String[]::new);
    int definition = schema.getMaxDefinitionLevel(path);
    if (type.isPrimitive()) {
      return new Leaf(
          definition,
          schema.getColumnDescription(path),
          ScalarReader.of(String.join(".", path), type.asPrimitiveType(), wanted));
    }
    GroupType group = type.asGroupType();
    return switch (wanted.getTypeRoot()) {
      case ARRAY -> {
        LogicalType elementType = ((ArrayType) wanted).getElementType();
        Type repeated = group.getType(0);
        names.add(repeated.getName());
        String[] repeatedPath = names.toArray(String[]::new);
        NestedReader element =
            Projection.isElement(group, repeated)
                ? of(schema, names.subList(0, names.size() - 1), repeated, elementType)
                : of(schema, names, repeated.asGroupType().getType(0), elementType);
        yield new Items(
            definition,
            schema.getMaxDefinitionLevel(repeatedPath),
            schema.getMaxRepetitionLevel(repeatedPath),
            element);
      }
      case MAP -> {
        MapType map = (MapType) wanted;
        GroupType entry = group.getType(0).asGroupType();
        names.add(entry.getName());
        String[] entryPath = names.toArray(String[]::new);
        yield new Entries(
            definition,
            schema.getMaxDefinitionLevel(entryPath),
            schema.getMaxRepetitionLevel(entryPath),
            of(schema, names, entry.getType(0), map.getKeyType()),
            of(schema, names, entry.getType(1), map.getValueType()));
      }
      case ROW -> {
        RowType row = (RowType) wanted;
        NestedReader[] fields = new NestedReader[row.getFieldCount()];
        NestedReader any = null;
        for (int i = 0; i < fields.length; i++) {
          RowType.RowField field = row.getFields().get(i);
          if (group.containsField(field.getName())) {
            fields[i] = of(schema, names, group.getType(field.getName()), field.getType());
            any = fields[i];
          }
        }
        if (any == null) {
          any = presenceOf(schema, names, group);
        }
        yield new Fields(definition, fields, any);
      }
      default -> throw ScalarReader.mismatch(String.join(".", path), type, wanted);
    };
  }

  /** Reads nothing but the levels of the first leaf of a row that has no wanted field. */
  private static NestedReader presenceOf(MessageType schema, List<String> names, GroupType group) {
    List<String> down = new ArrayList<>(names);
    Type type = group;
    while (!type.isPrimitive()) {
      type = type.asGroupType().getType(0);
      down.add(type.getName());
    }
    String[] path = down.toArray(String[]::new);
    return new Presence(
        schema.getColumnDescription(path),
        schema.getMaxRepetitionLevel(names.toArray(String[]::new)));
  }

  private static final class Leaf extends NestedReader {
    private final ColumnDescriptor descriptor;
    private final ScalarReader scalar;
    private ColumnReader column;

    Leaf(int definition, ColumnDescriptor descriptor, ScalarReader scalar) {
      super(definition);
      this.descriptor = descriptor;
      this.scalar = scalar;
    }

    @Override
    void bind(Function<ColumnDescriptor, ColumnReader> columns) {
      column = columns.apply(descriptor);
    }

    @Override
    ColumnReader leaf() {
      return column;
    }

    @Override
    Object read() {
      Object value = scalar.read(column);
      column.consume();
      return value;
    }

    @Override
    void skip() {
      column.consume();
    }
  }

  /** Steps over all that one value of a row holds of a leaf that nobody wants. */
  private static final class Presence extends NestedReader {
    private final ColumnDescriptor descriptor;
    private final int definition;
    private final int rowRepetition;
    private ColumnReader column;

    /**
     * @param rowRepetition repetition level of the row; higher ones go on with the same row
     */
    Presence(ColumnDescriptor descriptor, int rowRepetition) {
      super(Integer.MAX_VALUE);
      this.descriptor = descriptor;
      this.definition = descriptor.getMaxDefinitionLevel();
      this.rowRepetition = rowRepetition;
    }

    @Override
    void bind(Function<ColumnDescriptor, ColumnReader> columns) {
      column = columns.apply(descriptor);
    }

    @Override
    ColumnReader leaf() {
      return column;
    }

    @Override
    Object read() {
      throw new IllegalStateException("Nobody wants this column");
    }

    @Override
    void skip() {
      do {
        if (column.getCurrentDefinitionLevel() == definition) {
          column.skip();
        }
        column.consume();
      } while (column.getCurrentRepetitionLevel() > rowRepetition);
    }
  }

  private static final class Items extends NestedReader {
    private final int itemDefinition;
    private final int repetition;
    private final NestedReader element;

    Items(int definition, int itemDefinition, int repetition, NestedReader element) {
      super(definition);
      this.itemDefinition = itemDefinition;
      this.repetition = repetition;
      this.element = element;
    }

    @Override
    void bind(Function<ColumnDescriptor, ColumnReader> columns) {
      element.bind(columns);
    }

    @Override
    ColumnReader leaf() {
      return element.leaf();
    }

    @Override
    Object read() {
      List<Object> items = new ArrayList<>();
      ColumnReader leaf = leaf();
      do {
        if (leaf.getCurrentDefinitionLevel() >= itemDefinition) {
          items.add(element.readOrNull());
        } else {
          element.skip();
        }
      } while (leaf.getCurrentRepetitionLevel() >= repetition);
      return new GenericArrayData(items.toArray());
    }

    @Override
    void skip() {
      element.skip();
    }
  }

  private static final class Entries extends NestedReader {
    private final int entryDefinition;
    private final int repetition;
    private final NestedReader key;
    private final NestedReader value;

    Entries(
        int definition, int entryDefinition, int repetition, NestedReader key, NestedReader value) {
      super(definition);
      this.entryDefinition = entryDefinition;
      this.repetition = repetition;
      this.key = key;
      this.value = value;
    }

    @Override
    void bind(Function<ColumnDescriptor, ColumnReader> columns) {
      key.bind(columns);
      value.bind(columns);
    }

    @Override
    ColumnReader leaf() {
      return key.leaf();
    }

    @Override
    Object read() {
      Map<Object, Object> entries = new LinkedHashMap<>();
      ColumnReader leaf = leaf();
      do {
        if (leaf.getCurrentDefinitionLevel() >= entryDefinition) {
          entries.put(key.readOrNull(), value.readOrNull());
        } else {
          skip();
        }
      } while (leaf.getCurrentRepetitionLevel() >= repetition);
      return new GenericMapData(entries);
    }

    @Override
    void skip() {
      key.skip();
      value.skip();
    }
  }

  private static final class Fields extends NestedReader {
    private final NestedReader[] fields;
    private final NestedReader any;
    private final boolean onlyPresence;

    Fields(int definition, NestedReader[] fields, NestedReader any) {
      super(definition);
      this.fields = fields;
      this.any = any;
      this.onlyPresence = any instanceof Presence;
    }

    @Override
    void bind(Function<ColumnDescriptor, ColumnReader> columns) {
      for (NestedReader field : fields) {
        if (field != null) {
          field.bind(columns);
        }
      }
      if (onlyPresence) {
        any.bind(columns);
      }
    }

    @Override
    ColumnReader leaf() {
      return any.leaf();
    }

    @Override
    Object read() {
      GenericRowData row = new GenericRowData(fields.length);
      for (int i = 0; i < fields.length; i++) {
        if (fields[i] != null) {
          row.setField(i, fields[i].readOrNull());
        }
      }
      if (onlyPresence) {
        any.skip();
      }
      return row;
    }

    @Override
    void skip() {
      for (NestedReader field : fields) {
        if (field != null) {
          field.skip();
        }
      }
      if (onlyPresence) {
        any.skip();
      }
    }
  }
}
