package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroInput;
import io.hudilite.core.avro.MalformedAvroException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;

/**
 * Ordering values as bytes, for state and shuffles. The bytes say themselves where they end, and
 * stay readable by later versions.
 *
 * <pre>
 * kind   1 byte   0 none, 1 boolean, 2 int, 3 long, 4 float, 5 double, 6 bytes, 7 string,
 *                 9 decimal, 12 list (the numbers of Hudi's delete records)
 * value  in Avro's encoding; decimal: int scale, bytes unscaled; list: int count, then each value
 * </pre>
 */
public final class OrderingCodec {
  private static final byte LIST = 12;

  private OrderingCodec() {}

  /** Appends the value. */
  public static void encode(OrderingValue value, AvroBuffer out) {
    switch (value.kind()) {
      case NONE -> out.writeByte(0);
      case BOOLEAN -> {
        out.writeByte(1);
        out.writeBoolean((Boolean) value.value());
      }
      case INT -> {
        out.writeByte(2);
        out.writeInt((Integer) value.value());
      }
      case LONG -> {
        out.writeByte(3);
        out.writeLong((Long) value.value());
      }
      case FLOAT -> {
        out.writeByte(4);
        out.writeFloat((Float) value.value());
      }
      case DOUBLE -> {
        out.writeByte(5);
        out.writeDouble((Double) value.value());
      }
      case BYTES -> {
        out.writeByte(6);
        out.writeBytes((byte[]) value.value());
      }
      case STRING -> {
        out.writeByte(7);
        out.writeBytes((byte[]) value.value());
      }
      case DECIMAL -> {
        BigDecimal number = (BigDecimal) value.value();
        out.writeByte(9);
        out.writeInt(number.scale());
        out.writeBytes(number.unscaledValue().toByteArray());
      }
      case LIST -> {
        List<?> values = (List<?>) value.value();
        out.writeByte(LIST);
        out.writeInt(values.size());
        for (Object part : values) {
          OrderingValue element = (OrderingValue) part;
          if (element.kind() == OrderingValue.Kind.LIST) {
            throw new IllegalArgumentException("A list of ordering values holds no other list");
          }
          encode(element, out);
        }
      }
    }
  }

  public static byte[] toBytes(OrderingValue value) {
    AvroBuffer out = new AvroBuffer(16);
    encode(value, out);
    return out.toByteArray();
  }

  /** INT or LONG if {@link #decodeNumber} can read the value, else null. Makes no object. */
  @Nullable
  public static OrderingValue.Kind numberKind(byte[] bytes, int offset) {
    return switch (bytes[offset]) {
      case 2 -> OrderingValue.Kind.INT;
      case 3 -> OrderingValue.Kind.LONG;
      default -> null;
    };
  }

  /**
   * An int or long without an object for it.
   *
   * @throws IllegalArgumentException if these are not exactly the bytes of one int or long
   */
  public static long decodeNumber(byte[] bytes, int offset, int length) {
    int end = offset + length;
    long zigzag = 0;
    for (int at = offset + 1, shift = 0; at < end && shift < 64; at++, shift += 7) {
      byte part = bytes[at];
      zigzag |= (long) (part & 0x7F) << shift;
      if (part >= 0) {
        long number = (zigzag >>> 1) ^ -(zigzag & 1);
        if (at + 1 == end
            && (bytes[offset] == 3 || (bytes[offset] == 2 && number == (int) number))) {
          return number;
        }
        break;
      }
    }
    throw new IllegalArgumentException("These " + length + " bytes are no int or long");
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if these are not exactly the bytes of one value
   */
  public static OrderingValue decode(byte[] bytes, int offset, int length) {
    AvroInput in = new AvroInput();
    in.reset(bytes, offset, length);
    try {
      OrderingValue value = decode(in);
      if (in.remaining() > 0) {
        throw new IllegalArgumentException(
            in.remaining() + " bytes follow the ordering value " + value);
      }
      return value;
    } catch (MalformedAvroException e) {
      throw new IllegalArgumentException("These bytes are no ordering value", e);
    }
  }

  /** Reads one value and stops behind it. */
  public static OrderingValue decode(AvroInput in) throws MalformedAvroException {
    byte kind = in.readByte();
    if (kind != LIST) {
      return single(kind, in);
    }
    int count = in.readInt();
    if (count < 0 || count > in.remaining()) {
      throw new MalformedAvroException(
          count + " ordering values, but " + in.remaining() + " bytes are left");
    }
    List<OrderingValue> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(single(in.readByte(), in));
    }
    return OrderingValue.ofList(values);
  }

  private static OrderingValue single(byte kind, AvroInput in) throws MalformedAvroException {
    return switch (kind) {
      case 0 -> OrderingValue.NONE;
      case 1 -> OrderingValue.ofBoolean(in.readBoolean());
      case 2 -> OrderingValue.ofInt(in.readInt());
      case 3 -> OrderingValue.ofLong(in.readLong());
      case 4 -> OrderingValue.ofFloat(in.readFloat());
      case 5 -> OrderingValue.ofDouble(in.readDouble());
      case 6 -> OrderingValue.ofBytes(in.readBytes());
      case 7 -> OrderingValue.ofString(in.readBytes());
      case 9 -> {
        int scale = in.readInt();
        byte[] unscaled = in.readBytes();
        if (unscaled.length == 0) {
          throw new MalformedAvroException("A decimal without bytes");
        }
        yield OrderingValue.ofDecimal(new BigDecimal(new BigInteger(unscaled), scale));
      }
      default -> throw new MalformedAvroException("There is no kind " + kind);
    };
  }
}
