package io.hudilite.core.config;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Java properties text, as of {@code hoodie.properties} and {@code .hoodie_partition_metadata}.
 * Written as Java writes them to a stream: Latin-1, with escapes for all else; but in the order of
 * keys and without a date, so that equal properties are equal bytes.
 */
public final class PropertiesCodec {
  private PropertiesCodec() {}

  /**
   * Reads properties, sorted by their keys.
   *
   * @throws IllegalArgumentException for a malformed {@code \}{@code uXXXX} escape
   */
  public static Map<String, String> decode(byte[] content) {
    Properties properties = new Properties();
    try {
      properties.load(new ByteArrayInputStream(content));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Map<String, String> sorted = new TreeMap<>();
    properties.forEach((key, value) -> sorted.put((String) key, (String) value));
    return sorted;
  }

  /**
   * Writes properties, sorted by their keys.
   *
   * @param comment one line for the top
   */
  public static byte[] encode(Map<String, String> properties, String comment) {
    StringBuilder text = new StringBuilder("#").append(comment).append('\n');
    new TreeMap<>(properties)
        .forEach(
            (key, value) -> {
              Properties one = new Properties();
              one.setProperty(key, value);
              ByteArrayOutputStream lines = new ByteArrayOutputStream();
              try {
                one.store(lines, null);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
              // Properties puts a line with the date first, which would differ from run to run.
              lines
                  .toString(StandardCharsets.ISO_8859_1)
                  .lines()
                  .filter(line -> !line.startsWith("#"))
                  .forEach(line -> text.append(line).append('\n'));
            });
    return text.toString().getBytes(StandardCharsets.ISO_8859_1);
  }
}
