package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;

/**
 * Escaping of partition values in paths. Source: PartitionPathEncodeUtils of Hudi 1.0.2, which
 * leaves spaces and everything beyond ASCII as it is.
 */
final class PathText {
  private static final String HEX = "0123456789ABCDEF";
  private static final BitSet ESCAPED = new BitSet(128);

  static {
    ESCAPED.set(0, 0x20);
    ESCAPED.set(0x7F);
    "\"#%'*/:=?\\{[]^".chars().forEach(ESCAPED::set);
  }

  private PathText() {}

  /** Escapes what stands in {@code buffer} from {@code start} on, which is UTF-8. */
  static void escape(AvroBuffer buffer, int start) {
    byte[] bytes = buffer.array();
    int end = buffer.size();
    int first = start;
    while (first < end && !isEscaped(bytes[first])) {
      first++;
    }
    if (first == end) {
      return;
    }
    byte[] rest = java.util.Arrays.copyOfRange(bytes, first, end);
    buffer.truncate(first);
    for (byte next : rest) {
      if (isEscaped(next)) {
        buffer.writeByte('%');
        buffer.writeByte(HEX.charAt(next >> 4));
        buffer.writeByte(HEX.charAt(next & 0xF));
      } else {
        buffer.writeByte(next);
      }
    }
  }

  private static boolean isEscaped(byte value) {
    return value >= 0 && ESCAPED.get(value);
  }

  /** Turns each {@code %XX} back; a {@code %} without two hex digits stays. */
  static String unescape(String text) {
    if (text.indexOf('%') < 0) {
      return text;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%' && i + 2 < bytes.length) {
        int high = Character.digit(bytes[i + 1], 16);
        int low = Character.digit(bytes[i + 2], 16);
        if (high >= 0 && low >= 0) {
          out.write(high << 4 | low);
          i += 2;
          continue;
        }
      }
      out.write(bytes[i]);
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
