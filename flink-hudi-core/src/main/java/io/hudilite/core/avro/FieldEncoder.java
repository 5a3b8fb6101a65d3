package io.hudilite.core.avro;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;

/** Writes one field of a row; the field is not null. */
@FunctionalInterface
interface FieldEncoder {
  void encode(RowData row, int index, AvroBuffer out);

  static FieldEncoder of(String column, LogicalType type, LogicalType stored) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> (row, i, out) -> out.writeBoolean(row.getBoolean(i));
      case TINYINT -> (row, i, out) -> out.writeInt(row.getByte(i));
      case SMALLINT -> (row, i, out) -> out.writeInt(row.getShort(i));
      case INTEGER, DATE -> (row, i, out) -> out.writeInt(row.getInt(i));
      case BIGINT -> (row, i, out) -> out.writeLong(row.getLong(i));
      case FLOAT -> (row, i, out) -> out.writeFloat(row.getFloat(i));
      case DOUBLE -> (row, i, out) -> out.writeDouble(row.getDouble(i));
      case CHAR, VARCHAR -> (row, i, out) -> StringEncoder.encode(row.getString(i), out);
      case BINARY, VARBINARY -> (row, i, out) -> out.writeBytes(row.getBinary(i));
      case DECIMAL -> {
        DecimalEncoder decimal = new DecimalEncoder(column, (DecimalType) type);
        yield (row, i, out) ->
            decimal.encode(row.getDecimal(i, decimal.precision(), decimal.scale()), out);
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE -> {
        TimestampEncoder timestamp = new TimestampEncoder(column, type, stored);
        yield (row, i, out) -> timestamp.encode(row.getTimestamp(i, timestamp.precision()), out);
      }
      case ARRAY -> {
        ArrayEncoder array = new ArrayEncoder(column, (ArrayType) type, (ArrayType) stored);
        yield (row, i, out) -> array.encode(row.getArray(i), out);
      }
      case MAP -> {
        MapEncoder map = new MapEncoder(column, (MapType) type, (MapType) stored);
        yield (row, i, out) -> map.encode(row.getMap(i), out);
      }
      case ROW -> {
        RecordEncoder record = new RecordEncoder(column + ".", (RowType) type, (RowType) stored);
        int fieldCount = ((RowType) type).getFieldCount();
        yield (row, i, out) -> record.encode(row.getRow(i, fieldCount), out);
      }
      default -> throw new IllegalStateException(column + ": " + type + " was accepted");
    };
  }
}
