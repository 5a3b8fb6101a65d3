package io.hudilite.core.avro;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.types.logical.ArrayType;

/** Writes arrays as one Avro block. */
final class ArrayEncoder {
  private final String column;
  private final boolean nullable;
  private final ElementEncoder element;

  ArrayEncoder(String column, ArrayType type, ArrayType stored) {
    this.column = column + "[]";
    this.nullable = type.getElementType().isNullable();
    this.element = ElementEncoder.of(this.column, type.getElementType(), stored.getElementType());
  }

  void encode(ArrayData array, AvroBuffer out) {
    int size = array.size();
    if (size > 0) {
      out.writeInt(size);
      for (int i = 0; i < size; i++) {
        encodeElement(array, i, nullable, element, column, out);
      }
    }
    out.writeByte(0);
  }

  static void encodeElement(
      ArrayData array,
      int index,
      boolean nullable,
      ElementEncoder element,
      String column,
      AvroBuffer out) {
    if (array.isNullAt(index)) {
      if (!nullable) {
        throw RecordEncoder.nullInNotNull(column);
      }
      out.writeByte(RecordEncoder.NULL_BRANCH);
    } else {
      if (nullable) {
        out.writeByte(RecordEncoder.VALUE_BRANCH);
      }
      element.encode(array, index, out);
    }
  }
}
