package io.hudilite.core.base;

import io.hudilite.core.config.HudiTableException;
import java.math.BigInteger;
import java.util.List;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;

/**
 * Parquet types of the columns that we write. Source: table-format of Hudi as its Avro writer has
 * it, with three-level lists, which can hold null elements.
 */
final class ParquetSchemas {
  private static final String ROOT_NAME = "hudi_record";

  /** Smallest length in bytes of a two's complement number that holds so many decimal digits. */
  private static final int[] BYTES_OF_DIGITS = bytesOfDigits();

  private ParquetSchemas() {}

  private static int[] bytesOfDigits() {
    int[] lengths = new int[DecimalType.MAX_PRECISION + 1];
    for (int digits = 1; digits <= DecimalType.MAX_PRECISION; digits++) {
      int bits = BigInteger.TEN.pow(digits).bitLength() + 1;
      lengths[digits] = (bits + 7) / 8;
    }
    return lengths;
  }

  static int bytesOfDecimal(int precision) {
    return BYTES_OF_DIGITS[precision];
  }

  /**
   * The schema of a file with these columns.
   *
   * @throws HudiTableException for a type that base files cannot hold
   */
  static MessageType toParquet(RowType rowType) {
    return new MessageType(
        ROOT_NAME,
        rowType.getFields().stream()
            .map(field -> toParquet(field.getName(), field.getType()))
            .toList());
  }

  private static Type toParquet(String name, LogicalType type) {
    Type.Repetition repetition =
        type.isNullable() ? Type.Repetition.OPTIONAL : Type.Repetition.REQUIRED;
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> primitive(PrimitiveTypeName.BOOLEAN, repetition, null, name);
      case TINYINT, SMALLINT, INTEGER -> primitive(PrimitiveTypeName.INT32, repetition, null, name);
      case DATE ->
          primitive(PrimitiveTypeName.INT32, repetition, LogicalTypeAnnotation.dateType(), name);
      case BIGINT -> primitive(PrimitiveTypeName.INT64, repetition, null, name);
      case FLOAT -> primitive(PrimitiveTypeName.FLOAT, repetition, null, name);
      case DOUBLE -> primitive(PrimitiveTypeName.DOUBLE, repetition, null, name);
      case CHAR, VARCHAR ->
          primitive(PrimitiveTypeName.BINARY, repetition, LogicalTypeAnnotation.stringType(), name);
      case BINARY, VARBINARY -> primitive(PrimitiveTypeName.BINARY, repetition, null, name);
      case DECIMAL -> {
        DecimalType decimal = (DecimalType) type;
        yield Types.primitive(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY, repetition)
            .length(bytesOfDecimal(decimal.getPrecision()))
            .as(LogicalTypeAnnotation.decimalType(decimal.getScale(), decimal.getPrecision()))
            .named(name);
      }
      case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
          primitive(
              PrimitiveTypeName.INT64,
              repetition,
              LogicalTypeAnnotation.timestampType(true, unitOf(name, type)),
              name);
      case ARRAY ->
          Types.list(repetition)
              .element(toParquet("element", ((ArrayType) type).getElementType()))
              .named(name);
      case MAP -> {
        MapType map = (MapType) type;
        yield Types.map(repetition)
            .key(toParquet("key", map.getKeyType().copy(false)))
            .value(toParquet("value", map.getValueType()))
            .named(name);
      }
      case ROW -> {
        List<Type> fields =
            ((RowType) type)
                .getFields().stream()
                    .map(field -> toParquet(field.getName(), field.getType()))
                    .toList();
        if (fields.isEmpty()) {
          throw unsupported(name, type);
        }
        yield new GroupType(repetition, name, fields);
      }
      default -> throw unsupported(name, type);
    };
  }

  private static Type primitive(
      PrimitiveTypeName primitive,
      Type.Repetition repetition,
      LogicalTypeAnnotation annotation,
      String name) {
    return Types.primitive(primitive, repetition).as(annotation).named(name);
  }

  /** The unit in which a timestamp type is stored: of milliseconds up to 3 digits, else micros. */
  private static TimeUnit unitOf(String name, LogicalType type) {
    int precision = LogicalTypeChecks.getPrecision(type);
    if (precision > 6) {
      throw unsupported(name, type);
    }
    return precision <= 3 ? TimeUnit.MILLIS : TimeUnit.MICROS;
  }

  private static HudiTableException unsupported(String name, LogicalType type) {
    return new HudiTableException(
        "Column '%s' has type %s, which a base file cannot hold. CAST it: times of day and intervals to BIGINT or STRING, timestamps to a precision of 6 or less, others to STRING or BYTES."
            .formatted(name, type.asSummaryString()));
  }
}
