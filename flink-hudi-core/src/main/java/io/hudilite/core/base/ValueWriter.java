package io.hudilite.core.base;

import io.hudilite.core.columns.FlatColumn;
import io.hudilite.core.config.HudiTableException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

/**
 * Writes the values of one column, or of one part of a nested column, with their repetition and
 * definition levels. Built once per file from the types; {@link #bind} points the leaves to the
 * column writers of each row group.
 *
 * <p>Levels are those of the Dremel paper as Parquet has them: a level is added to the definition
 * by each optional or repeated node on the path, to the repetition by each repeated one.
 */
abstract class ValueWriter {

  /** Called at the begin of each row group. */
  abstract void bind(ColumnWriteStore store);

  /** Writes field {@code index} of a row, which is not null. */
  abstract void write(RowData row, int index, int repetition);

  /** Writes a value in Flink's internal form, which is not null. */
  abstract void write(Object value, int repetition);

  /** Writes that there is nothing below the node of this definition level. */
  abstract void writeNull(int repetition, int definition);

  /** The writers of all columns of a file. */
  static ValueWriter[] ofColumns(RowType rowType, MessageType schema) {
    ValueWriter[] writers = new ValueWriter[rowType.getFieldCount()];
    for (int i = 0; i < writers.length; i++) {
      RowType.RowField field = rowType.getFields().get(i);
      writers[i] =
          of(field.getType(), schema, new Path(List.of(field.getName()), 0).enter(field.getType()));
    }
    return writers;
  }

  /** Where a writer stands in the schema: the names down to it, and its definition level. */
  private record Path(List<String> names, int definition) {
    Path child(String name, int levels) {
      List<String> longer = new ArrayList<>(names);
      longer.add(name);
      return new Path(longer, definition + levels);
    }

    Path enter(LogicalType type) {
      return type.isNullable() ? new Path(names, definition + 1) : this;
    }
  }

  private static ValueWriter of(LogicalType type, MessageType schema, Path path) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> new BooleanLeaf(schema, path);
      case TINYINT -> new ByteLeaf(schema, path);
      case SMALLINT -> new ShortLeaf(schema, path);
      case INTEGER, DATE -> new IntLeaf(schema, path);
      case BIGINT -> new LongLeaf(schema, path);
      case FLOAT -> new FloatLeaf(schema, path);
      case DOUBLE -> new DoubleLeaf(schema, path);
      case CHAR, VARCHAR -> new StringLeaf(schema, path);
      case BINARY, VARBINARY -> new BytesLeaf(schema, path);
      case DECIMAL -> new DecimalLeaf((DecimalType) type, schema, path);
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          new TimestampLeaf(LogicalTypeChecks.getPrecision(type), schema, path);
      case ARRAY -> new ArrayNode((ArrayType) type, schema, path);
      case MAP -> new MapNode((MapType) type, schema, path);
      case ROW -> new RowNode((RowType) type, schema, path);
      default -> throw new IllegalStateException("No Parquet type was made for " + type);
    };
  }

  private abstract static class Leaf extends ValueWriter {
    private final String[] path;
    private final MessageType schema;
    final int definition;
    ColumnWriter column;

    /** The same; null if it is nested. */
    @Nullable private FlatColumn flat;

    Leaf(MessageType schema, Path path) {
      this.schema = schema;
      this.path = path.names.toArray(String[]::new);
      this.definition = path.definition;
    }

    @Override
    final void bind(ColumnWriteStore store) {
      column = store.getColumnWriter(schema.getColumnDescription(path));
      flat = column instanceof FlatColumn whole ? whole : null;
    }

    /** Bytes that the caller may use again. */
    final void writeBytes(byte[] bytes, int offset, int length, int repetition) {
      if (flat != null) {
        flat.write(bytes, offset, length);
      } else {
        column.write(Binary.fromReusedByteArray(bytes, offset, length), repetition, definition);
      }
    }

    @Override
    final void writeNull(int repetition, int nullDefinition) {
      column.writeNull(repetition, nullDefinition);
    }
  }

  private static final class BooleanLeaf extends Leaf {
    BooleanLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write(row.getBoolean(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((boolean) value, repetition, definition);
    }
  }

  private static final class ByteLeaf extends Leaf {
    ByteLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write((int) row.getByte(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((int) (byte) value, repetition, definition);
    }
  }

  private static final class ShortLeaf extends Leaf {
    ShortLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write((int) row.getShort(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((int) (short) value, repetition, definition);
    }
  }

  private static final class IntLeaf extends Leaf {
    IntLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write(row.getInt(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((int) value, repetition, definition);
    }
  }

  private static final class LongLeaf extends Leaf {
    LongLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write(row.getLong(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((long) value, repetition, definition);
    }
  }

  private static final class FloatLeaf extends Leaf {
    FloatLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write(row.getFloat(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((float) value, repetition, definition);
    }
  }

  private static final class DoubleLeaf extends Leaf {
    DoubleLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      column.write(row.getDouble(index), repetition, definition);
    }

    @Override
    void write(Object value, int repetition) {
      column.write((double) value, repetition, definition);
    }
  }

  private static final class StringLeaf extends Leaf {
    StringLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      write(row.getString(index), repetition);
    }

    @Override
    void write(Object value, int repetition) {
      if (value instanceof BinaryStringData text) {
        text.ensureMaterialized();
        MemorySegment[] segments = text.getSegments();
        if (segments.length == 1 && !segments[0].isOffHeap()) {
          writeBytes(
              segments[0].getHeapMemory(), text.getOffset(), text.getSizeInBytes(), repetition);
          return;
        }
      }
      byte[] utf8 = ((StringData) value).toBytes();
      writeBytes(utf8, 0, utf8.length, repetition);
    }
  }

  private static final class BytesLeaf extends Leaf {
    BytesLeaf(MessageType schema, Path path) {
      super(schema, path);
    }

    @Override
    void write(RowData row, int index, int repetition) {
      write(row.getBinary(index), repetition);
    }

    @Override
    void write(Object value, int repetition) {
      byte[] bytes = (byte[]) value;
      writeBytes(bytes, 0, bytes.length, repetition);
    }
  }

  private static final class DecimalLeaf extends Leaf {
    private final int precision;
    private final int scale;
    private final int length;
    private final byte[] bytes;

    DecimalLeaf(DecimalType type, MessageType schema, Path path) {
      super(schema, path);
      this.precision = type.getPrecision();
      this.scale = type.getScale();
      this.length = ParquetSchemas.bytesOfDecimal(precision);
      this.bytes = new byte[length];
    }

    @Override
    void write(RowData row, int index, int repetition) {
      write(row.getDecimal(index, precision, scale), repetition);
    }

    @Override
    void write(Object value, int repetition) {
      DecimalData decimal = (DecimalData) value;
      if (decimal.isCompact()) {
        long unscaled = decimal.toUnscaledLong();
        for (int i = length - 1; i >= 0; i--) {
          bytes[i] = (byte) unscaled;
          unscaled >>= 8;
        }
      } else {
        byte[] unscaled = decimal.toUnscaledBytes();
        int pad = length - unscaled.length;
        Arrays.fill(bytes, 0, pad, (byte) (unscaled[0] >> 7));
        System.arraycopy(unscaled, 0, bytes, pad, unscaled.length);
      }
      writeBytes(bytes, 0, length, repetition);
    }
  }

  private static final class TimestampLeaf extends Leaf {
    private final int precision;
    private final boolean millis;

    TimestampLeaf(int precision, MessageType schema, Path path) {
      super(schema, path);
      this.precision = precision;
      this.millis = precision <= 3;
    }

    @Override
    void write(RowData row, int index, int repetition) {
      write(row.getTimestamp(index, precision), repetition);
    }

    @Override
    void write(Object value, int repetition) {
      TimestampData time = (TimestampData) value;
      long stored =
          millis
              ? time.getMillisecond()
              : Math.addExact(
                  Math.multiplyExact(time.getMillisecond(), 1000L),
                  time.getNanoOfMillisecond() / 1000);
      column.write(stored, repetition, definition);
    }
  }

  private static final class ArrayNode extends ValueWriter {
    private final ValueWriter element;
    private final ArrayData.ElementGetter getter;
    private final String name;
    private final boolean nullableElements;
    private final int definition;
    private final int repetition;

    ArrayNode(ArrayType type, MessageType schema, Path path) {
      this.name = String.join(".", path.names);
      this.definition = path.definition;
      this.repetition = repetitionOf(schema, path) + 1;
      LogicalType elementType = type.getElementType();
      this.nullableElements = elementType.isNullable();
      this.getter = ArrayData.createElementGetter(elementType);
      this.element =
          of(elementType, schema, path.child("list", 1).child("element", 0).enter(elementType));
    }

    @Override
    void bind(ColumnWriteStore store) {
      element.bind(store);
    }

    @Override
    void write(RowData row, int index, int outer) {
      write(row.getArray(index), outer);
    }

    @Override
    void write(Object value, int outer) {
      ArrayData array = (ArrayData) value;
      int size = array.size();
      if (size == 0) {
        element.writeNull(outer, definition);
      }
      for (int i = 0; i < size; i++) {
        int level = i == 0 ? outer : repetition;
        if (!array.isNullAt(i)) {
          element.write(getter.getElementOrNull(array, i), level);
        } else if (nullableElements) {
          element.writeNull(level, definition + 1);
        } else {
          throw nullIn(name + ".element");
        }
      }
    }

    @Override
    void writeNull(int outer, int nullDefinition) {
      element.writeNull(outer, nullDefinition);
    }
  }

  private static final class MapNode extends ValueWriter {
    private final ValueWriter key;
    private final ValueWriter value;
    private final ArrayData.ElementGetter keyGetter;
    private final ArrayData.ElementGetter valueGetter;
    private final String name;
    private final boolean nullableValues;
    private final int definition;
    private final int repetition;

    MapNode(MapType type, MessageType schema, Path path) {
      this.name = String.join(".", path.names);
      this.definition = path.definition;
      this.repetition = repetitionOf(schema, path) + 1;
      LogicalType keyType = type.getKeyType().copy(false);
      LogicalType valueType = type.getValueType();
      this.nullableValues = valueType.isNullable();
      this.keyGetter = ArrayData.createElementGetter(keyType);
      this.valueGetter = ArrayData.createElementGetter(valueType);
      Path entry = path.child("key_value", 1);
      this.key = of(keyType, schema, entry.child("key", 0));
      this.value = of(valueType, schema, entry.child("value", 0).enter(valueType));
    }

    @Override
    void bind(ColumnWriteStore store) {
      key.bind(store);
      value.bind(store);
    }

    @Override
    void write(RowData row, int index, int outer) {
      write(row.getMap(index), outer);
    }

    @Override
    void write(Object map, int outer) {
      int size = ((MapData) map).size();
      if (size == 0) {
        writeNull(outer, definition);
        return;
      }
      ArrayData keys = ((MapData) map).keyArray();
      ArrayData values = ((MapData) map).valueArray();
      for (int i = 0; i < size; i++) {
        int level = i == 0 ? outer : repetition;
        if (keys.isNullAt(i)) {
          throw nullIn(name + ".key");
        }
        key.write(keyGetter.getElementOrNull(keys, i), level);
        if (!values.isNullAt(i)) {
          value.write(valueGetter.getElementOrNull(values, i), level);
        } else if (nullableValues) {
          value.writeNull(level, definition + 1);
        } else {
          throw nullIn(name + ".value");
        }
      }
    }

    @Override
    void writeNull(int outer, int nullDefinition) {
      key.writeNull(outer, nullDefinition);
      value.writeNull(outer, nullDefinition);
    }
  }

  private static final class RowNode extends ValueWriter {
    private final ValueWriter[] fields;
    private final boolean[] nullable;
    private final String[] names;
    private final int definition;

    RowNode(RowType type, MessageType schema, Path path) {
      int count = type.getFieldCount();
      this.definition = path.definition;
      this.fields = new ValueWriter[count];
      this.nullable = new boolean[count];
      this.names = new String[count];
      for (int i = 0; i < count; i++) {
        RowType.RowField field = type.getFields().get(i);
        Path child = path.child(field.getName(), 0);
        fields[i] = of(field.getType(), schema, child.enter(field.getType()));
        nullable[i] = field.getType().isNullable();
        names[i] = String.join(".", child.names);
      }
    }

    @Override
    void bind(ColumnWriteStore store) {
      for (ValueWriter field : fields) {
        field.bind(store);
      }
    }

    @Override
    void write(RowData row, int index, int repetition) {
      write(row.getRow(index, fields.length), repetition);
    }

    @Override
    void write(Object value, int repetition) {
      RowData row = (RowData) value;
      for (int i = 0; i < fields.length; i++) {
        if (!row.isNullAt(i)) {
          fields[i].write(row, i, repetition);
        } else if (nullable[i]) {
          fields[i].writeNull(repetition, definition);
        } else {
          throw nullIn(names[i]);
        }
      }
    }

    @Override
    void writeNull(int repetition, int nullDefinition) {
      for (ValueWriter field : fields) {
        field.writeNull(repetition, nullDefinition);
      }
    }
  }

  private static int repetitionOf(MessageType schema, Path path) {
    return schema.getMaxRepetitionLevel(path.names.toArray(String[]::new));
  }

  static HudiTableException nullIn(String column) {
    return new HudiTableException(
        "Column '%s' is declared NOT NULL, but a row has a null there. Fill it in the INSERT, for example by COALESCE, or declare the column nullable."
            .formatted(column));
  }
}
