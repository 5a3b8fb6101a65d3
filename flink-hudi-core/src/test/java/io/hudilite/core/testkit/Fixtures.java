package io.hudilite.core.testkit;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPInputStream;

/**
 * Tables that real Hudi wrote, from the test resources {@code fixtures/NAME.tar.gz}. Beside them
 * may lie {@code fixtures/NAME.expected.jsonl} and the like. What an older version of hudi-lite
 * wrote lies in the folder {@code own}, which is part of the name then.
 */
public final class Fixtures {
  private static final int BLOCK = 512;

  private Fixtures() {}

  /**
   * Unpacks a table.
   *
   * @param target an empty folder
   * @return the table's base path, {@code target} and the last part of the name
   */
  public static Path unpack(String name, Path target) {
    try (InputStream in = open(name + ".tar.gz");
        DataInputStream tar = new DataInputStream(new GZIPInputStream(in))) {
      untar(tar, target);
      return target.resolve(Path.of(name).getFileName());
    } catch (IOException e) {
      throw new UncheckedIOException("fixture " + name, e);
    }
  }

  /** Text of a file beside the tables, such as {@code NAME.expected.jsonl}. */
  public static String text(String fileName) {
    try (InputStream in = open(fileName)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("fixture " + fileName, e);
    }
  }

  private static InputStream open(String fileName) {
    InputStream in = Fixtures.class.getResourceAsStream("/fixtures/" + fileName);
    if (in == null) {
      throw new IllegalArgumentException("No test resource fixtures/" + fileName);
    }
    return in;
  }

  /** Reads the ustar form with GNU's long names, which is what the fixtures use. */
  private static void untar(DataInputStream tar, Path target) throws IOException {
    byte[] header = new byte[BLOCK];
    String longName = null;
    while (true) {
      try {
        tar.readFully(header);
      } catch (EOFException e) {
        return;
      }
      if (header[0] == 0) {
        return;
      }
      int length = Integer.parseInt(text(header, 124, 12), 8);
      byte[] content = new byte[length];
      tar.readFully(content);
      tar.skipNBytes((BLOCK - length % BLOCK) % BLOCK);
      char type = (char) header[156];
      if (type == 'L') {
        longName = text(content, 0, length);
        continue;
      }
      String prefix =
          new String(header, 257, 6, StandardCharsets.US_ASCII).equals("ustar\0")
              ? text(header, 345, 155)
              : "";
      String name = text(header, 0, 100);
      if (longName != null) {
        name = longName;
        longName = null;
      } else if (!prefix.isEmpty()) {
        name = prefix + "/" + name;
      }
      Path path = target.resolve(name).normalize();
      if (!path.startsWith(target)) {
        throw new IOException("Entry outside of the target: " + name);
      }
      if (type == '5') {
        Files.createDirectories(path);
      } else {
        Files.createDirectories(path.getParent());
        Files.write(path, content);
        // Old timelines tell completion times by it.
        long seconds = Long.parseLong(text(header, 136, 12), 8);
        Files.setLastModifiedTime(path, FileTime.from(seconds, TimeUnit.SECONDS));
      }
    }
  }

  private static String text(byte[] bytes, int offset, int length) {
    int end = offset;
    while (end < offset + length && bytes[end] != 0) {
      end++;
    }
    return new String(bytes, offset, end - offset, StandardCharsets.UTF_8).trim();
  }
}
