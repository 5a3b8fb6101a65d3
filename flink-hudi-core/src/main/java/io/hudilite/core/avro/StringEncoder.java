package io.hudilite.core.avro;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;

/** Writes strings without making them Java strings, or arrays of their own, on the way. */
final class StringEncoder {
  private StringEncoder() {}

  /** Length and UTF-8 bytes. */
  static void encode(StringData value, AvroBuffer out) {
    if (value instanceof BinaryStringData binary) {
      binary.ensureMaterialized();
      out.writeInt(binary.getSizeInBytes());
      append(binary, out);
    } else {
      out.writeBytes(value.toBytes());
    }
  }

  /** The UTF-8 bytes alone. */
  static void append(StringData value, AvroBuffer out) {
    if (value instanceof BinaryStringData binary) {
      binary.ensureMaterialized();
      MemorySegment[] segments = binary.getSegments();
      int length = binary.getSizeInBytes();
      if (segments.length == 1) {
        int at = out.skip(length);
        segments[0].get(binary.getOffset(), out.array(), at, length);
        return;
      }
    }
    out.writeRaw(value.toBytes());
  }
}
