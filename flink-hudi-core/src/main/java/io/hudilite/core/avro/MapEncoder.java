package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.types.logical.MapType;

/** Writes maps with string keys as one Avro block. */
final class MapEncoder {
  private final String column;
  private final boolean nullable;
  private final ElementEncoder value;

  MapEncoder(String column, MapType type, MapType stored) {
    this.column = column + "{}";
    this.nullable = type.getValueType().isNullable();
    this.value = ElementEncoder.of(this.column, type.getValueType(), stored.getValueType());
  }

  void encode(MapData map, AvroBuffer out) {
    int size = map.size();
    if (size > 0) {
      out.writeInt(size);
      ArrayData keys = map.keyArray();
      ArrayData values = map.valueArray();
      for (int i = 0; i < size; i++) {
        if (keys.isNullAt(i)) {
          throw new HudiTableException(
              "Column '%s': a map has a null key, which Avro has no place for. Filter such entries in the query."
                  .formatted(column));
        }
        StringEncoder.encode(keys.getString(i), out);
        ArrayEncoder.encodeElement(values, i, nullable, value, column, out);
      }
    }
    out.writeByte(0);
  }
}
