package io.hudilite.core.avro;

import org.apache.flink.table.data.StringData;

/** Appends texts as UTF-8 bytes without a length, and without Java strings where it can. */
public final class Utf8Text {
  private static final byte[] MIN_LONG = {
    '-', '9', '2', '2', '3', '3', '7', '2', '0', '3', '6', '8', '5', '4', '7', '7', '5', '8', '0',
    '8'
  };

  private Utf8Text() {}

  public static void append(StringData value, AvroBuffer out) {
    StringEncoder.append(value, out);
  }

  /** The number in decimal digits. */
  public static void append(long value, AvroBuffer out) {
    if (value == Long.MIN_VALUE) {
      out.writeRaw(MIN_LONG);
      return;
    }
    long rest = Math.abs(value);
    int digits = 1;
    for (long next = rest; next >= 10; next /= 10) {
      digits++;
    }
    int sign = value < 0 ? 1 : 0;
    int start = out.skip(digits + sign);
    byte[] array = out.array();
    for (int i = start + digits + sign - 1; i >= start + sign; i--) {
      array[i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    if (sign == 1) {
      array[start] = '-';
    }
  }
}
