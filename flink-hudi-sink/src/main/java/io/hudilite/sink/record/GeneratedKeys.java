package io.hudilite.sink.record;

import io.hudilite.core.avro.AvroBuffer;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * Record keys of tables that have no key columns: each row gets one that no other row of the table
 * has. What is random is the beginning, which all keys of one object have alike; behind it the rows
 * are counted, so that the keys take little space in files. Hudi's readers ask no more of such keys
 * than that they differ. Not safe for use by several threads.
 */
final class GeneratedKeys {
  private static final int RADIX = Character.MAX_RADIX;

  private final byte[] prefix;
  private long count;

  GeneratedKeys() {
    UUID random = UUID.randomUUID();
    prefix =
        (Long.toUnsignedString(random.getMostSignificantBits(), RADIX)
                + Long.toString(random.getLeastSignificantBits() & 0xFFFF_FFFFL, RADIX)
                + "_")
            .getBytes(StandardCharsets.US_ASCII);
  }

  /** Appends the next key as UTF-8, without a length. */
  void next(AvroBuffer out) {
    out.writeRaw(prefix);
    out.writeRaw(Long.toString(count++, RADIX).getBytes(StandardCharsets.US_ASCII));
  }
}
