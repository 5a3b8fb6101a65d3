package io.hudilite.core.avro;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/** Writes one element of an array; the element is not null. */
@FunctionalInterface
interface ElementEncoder {
  void encode(ArrayData array, int index, AvroBuffer out);

  static ElementEncoder of(String column, LogicalType type, LogicalType stored) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (array, i, out) -> out.writeBoolean(array.getBoolean(i));
      case TINYINT -> (array, i, out) -> out.writeInt(array.getByte(i));
      case SMALLINT -> (array, i, out) -> out.writeInt(array.getShort(i));
      case INTEGER, DATE -> (array, i, out) -> out.writeInt(array.getInt(i));
      case BIGINT -> (array, i, out) -> out.writeLong(array.getLong(i));
      case FLOAT -> (array, i, out) -> out.writeFloat(array.getFloat(i));
      case DOUBLE -> (array, i, out) -> out.writeDouble(array.getDouble(i));
      case CHAR, VARCHAR -> (array, i, out) -> StringEncoder.encode(array.getString(i), out);
      case BINARY, VARBINARY -> (array, i, out) -> out.writeBytes(array.getBinary(i));
      case DECIMAL -> {
        DecimalEncoder decimal = new DecimalEncoder(column, (DecimalType) type);
        yield (array, i, out) ->
            decimal.encode(array.getDecimal(i, decimal.precision(), decimal.scale()), out);
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        TimestampEncoder timestamp = new TimestampEncoder(column, type, stored);
        yield (array, i, out) ->
            timestamp.encode(array.getTimestamp(i, timestamp.precision()), out);
      }
      case ARRAY -> {
        ArrayEncoder inner = new ArrayEncoder(column, (ArrayType) type, (ArrayType) stored);
        yield (array, i, out) -> inner.encode(array.getArray(i), out);
      }
      case MAP -> {
        MapEncoder map = new MapEncoder(column, (MapType) type, (MapType) stored);
        yield (array, i, out) -> map.encode(array.getMap(i), out);
      }
      case ROW -> {
        RecordEncoder record = new RecordEncoder(column + ".", (RowType) type, (RowType) stored);
        int fieldCount = ((RowType) type).getFieldCount();
        yield (array, i, out) -> record.encode(array.getRow(i, fieldCount), out);
      }
      default -> throw new IllegalStateException(column + ": " + type + " was accepted");
    };
  }
}
