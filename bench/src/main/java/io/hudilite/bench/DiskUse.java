package io.hudilite.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Bytes and files below folders named like the table.
 *
 * @param bytes checksum side files among them
 * @param files without checksum side files
 */
record DiskUse(long bytes, long files) {
  private static final int TRIES = 20;

  static DiskUse of(Run run) throws IOException {
    for (int tries = 0; ; tries++) {
      try {
        return count(run.warehouse);
      } catch (NoSuchFileException | UncheckedIOException e) { // a file went while it was counted
        if (tries == TRIES) {
          throw e;
        }
      }
    }
  }

  private static DiskUse count(Path warehouse) throws IOException {
    long bytes = 0;
    long files = 0;
    try (Stream<Path> all = Files.walk(warehouse)) {
      for (Path file : (Iterable<Path>) all::iterator) {
        if (Files.isRegularFile(file) && isOfTable(warehouse.relativize(file))) {
          bytes += Files.size(file);
          files += file.toString().endsWith(".crc") ? 0 : 1;
        }
      }
    }
    return new DiskUse(bytes, files);
  }

  private static boolean isOfTable(Path file) {
    for (Path name : file) {
      if (name.toString().equals(Run.TABLE)) {
        return true;
      }
    }
    return false;
  }

  void tell(Map<String, Object> phase) {
    phase.put("disk_bytes", bytes);
    phase.put("files", files);
  }
}
