package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;

/**
 * Ordering values as bytes, for state and shuffles: one byte of kind, then the value. The bytes say
 * themselves where they end, and stay readable by later versions.
 */
public final class OrderingCodec {
  private OrderingCodec() {}

  public static void encode(OrderingValue value, AvroBuffer out) {
    throw new UnsupportedOperationException();
  }

  public static byte[] toBytes(OrderingValue value) {
    AvroBuffer out = new AvroBuffer(16);
    encode(value, out);
    return out.toByteArray();
  }

  /**
   * @throws IllegalArgumentException if these are not exactly the bytes of one value
   */
  public static OrderingValue decode(byte[] bytes, int offset, int length) {
    throw new UnsupportedOperationException();
  }
}
