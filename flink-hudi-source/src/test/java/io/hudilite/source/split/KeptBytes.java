package io.hudilite.source.split;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** State as older releases wrote it, kept as hex text in the resources of the tests. */
public final class KeptBytes {
  private KeptBytes() {}

  public static byte[] read(String name) throws IOException {
    try (InputStream in = KeptBytes.class.getResourceAsStream("/state/" + name + ".hex")) {
      if (in == null) {
        throw new IOException("No kept state " + name);
      }
      return HexFormat.of()
          .parseHex(new String(in.readAllBytes(), StandardCharsets.US_ASCII).replaceAll("\\s", ""));
    }
  }
}
