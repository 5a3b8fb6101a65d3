package io.hudilite.core.base;

import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.columns.FlatColumn;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/**
 * Moves the values of Avro records into Parquet columns, without a row between them: where both
 * come from one row type they store every value that is not nested alike. Immutable.
 */
public final class RecordFeed {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Byte of the null branch of a nullable column, and of the other. */
  private static final int NULL_BRANCH = 0;

  private static final int VALUE_BRANCH = 2;

  private enum Kind {
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    BYTES,
    FIXED
  }

  private final Kind[] kinds;
  private final boolean[] nullable;
  private final int[] sizes;

  private RecordFeed(int columns) {
    this.kinds = new Kind[columns];
    this.nullable = new boolean[columns];
    this.sizes = new int[columns];
  }

  /**
   * The feed for records of a schema.
   *
   * @param schema that {@link io.hudilite.core.schema.AvroSchemas} makes of {@code rowType}
   * @param rowType of the Parquet file
   * @return null if a column is nested, or stored otherwise than files store it
   */
  @Nullable
  public static RecordFeed createIfFlat(Schema schema, RowType rowType) {
    List<Schema.Field> fields = schema.getFields();
    if (fields.size() != rowType.getFieldCount()) {
      return null;
    }
    RecordFeed feed = new RecordFeed(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      if (!fields.get(i).name().equals(rowType.getFieldNames().get(i))
          || !feed.plan(i, fields.get(i).schema(), rowType.getTypeAt(i))) {
        return null;
      }
    }
    return feed;
  }

  private boolean plan(int column, Schema schema, LogicalType type) {
    nullable[column] = type.isNullable();
    Schema value = schema;
    if (schema.isUnion()) {
      List<Schema> branches = schema.getTypes();
      if (branches.size() != 2 || branches.get(0).getType() != Schema.Type.NULL) {
        return false;
      }
      value = branches.get(1);
    }
    if (schema.isUnion() != type.isNullable()) {
      return false;
    }
    Schema.Type stored = value.getType();
    kinds[column] =
        switch (type.getTypeRoot()) {
          case BOOLEAN -> stored == Schema.Type.BOOLEAN ? Kind.BOOLEAN : null;
          case TINYINT, SMALLINT, INTEGER, DATE -> stored == Schema.Type.INT ? Kind.INT : null;
          case BIGINT, TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
              stored == Schema.Type.LONG ? Kind.LONG : null;
          case FLOAT -> stored == Schema.Type.FLOAT ? Kind.FLOAT : null;
          case DOUBLE -> stored == Schema.Type.DOUBLE ? Kind.DOUBLE : null;
          case CHAR, VARCHAR -> stored == Schema.Type.STRING ? Kind.BYTES : null;
          case BINARY, VARBINARY -> stored == Schema.Type.BYTES ? Kind.BYTES : null;
          case DECIMAL -> {
            sizes[column] = ParquetSchemas.bytesOfDecimal(((DecimalType) type).getPrecision());
            yield stored == Schema.Type.FIXED && value.getFixedSize() == sizes[column]
                ? Kind.FIXED
                : null;
          }
          default -> null;
        };
    return kinds[column] != null;
  }

  /**
   * Writes one record; it may be overwritten after the call.
   *
   * @param columns of the row group, in the order of the row type
   * @throws MalformedAvroException if the bytes do not fit the schema; the columns are then of no
   *     use
   */
  void write(byte[] in, int start, int end, FlatColumn[] columns) throws MalformedAvroException {
    int at = start;
    for (int i = 0; i < kinds.length; i++) {
      FlatColumn column = columns[i];
      int definition = 0;
      if (nullable[i]) {
        int branch = at < end ? in[at++] : -1;
        if (branch == NULL_BRANCH) {
          column.writeNull(0, 0);
          continue;
        }
        if (branch != VALUE_BRANCH) {
          throw malformed("no branch of a nullable column", at - 1);
        }
        definition = 1;
      }
      switch (kinds[i]) {
        case INT -> {
          long number = 0;
          int shift = 0;
          byte next;
          do {
            if (at >= end || shift > 28) {
              throw malformed("an int without an end", at);
            }
            next = in[at++];
            number |= (next & 0x7FL) << shift;
            shift += 7;
          } while (next < 0);
          column.write((int) (number >>> 1) ^ -(int) (number & 1), 0, definition);
        }
        case LONG -> {
          long number = 0;
          int shift = 0;
          byte next;
          do {
            if (at >= end || shift > 63) {
              throw malformed("a long without an end", at);
            }
            next = in[at++];
            number |= (next & 0x7FL) << shift;
            shift += 7;
          } while (next < 0);
          column.write((number >>> 1) ^ -(number & 1), 0, definition);
        }
        case BYTES -> {
          long length = 0;
          int shift = 0;
          byte next;
          do {
            if (at >= end || shift > 28) {
              throw malformed("a length without an end", at);
            }
            next = in[at++];
            length |= (next & 0x7FL) << shift;
            shift += 7;
          } while (next < 0);
          int bytes = (int) (length >>> 1);
          if ((length & 1) != 0 || bytes > end - at) {
            throw malformed("a length that leaves the record", at);
          }
          column.write(in, at, bytes);
          at += bytes;
        }
        case FIXED -> {
          require(sizes[i], at, end);
          column.write(in, at, sizes[i]);
          at += sizes[i];
        }
        case DOUBLE -> {
          require(Double.BYTES, at, end);
          column.write(Double.longBitsToDouble((long) LONG.get(in, at)), 0, definition);
          at += Double.BYTES;
        }
        case FLOAT -> {
          require(Float.BYTES, at, end);
          column.write(Float.intBitsToFloat((int) INT.get(in, at)), 0, definition);
          at += Float.BYTES;
        }
        case BOOLEAN -> {
          require(1, at, end);
          column.write(in[at++] == 1, 0, definition);
        }
      }
    }
    if (at != end) {
      throw malformed("the record goes on behind its last column", at);
    }
  }

  private static void require(int bytes, int at, int end) throws MalformedAvroException {
    if (bytes > end - at) {
      throw malformed("a value that leaves the record", at);
    }
  }

  private static MalformedAvroException malformed(String what, int at) {
    return new MalformedAvroException("There is " + what + " at byte " + at);
  }
}
