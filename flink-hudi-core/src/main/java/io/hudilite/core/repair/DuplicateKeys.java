package io.hudilite.core.repair;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.scan.IndexScanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Keys that have rows in several file groups: writers without a common index leave them, for
 * instance inserts, or two engines at once. Reads the keys of the whole table, as often as it takes
 * to hold a part of them in memory.
 */
public final class DuplicateKeys {
  private static final int KEYS_IN_MEMORY = 2_000_000;

  private DuplicateKeys() {}

  /** A key, and where it is. */
  public record Duplicate(String recordKey, List<FileGroupId> groups) {
    public Duplicate {
      requireNonNull(recordKey, "recordKey");
      groups = List.copyOf(groups);
    }
  }

  /**
   * By key.
   *
   * @param limit so many at most
   */
  public static List<Duplicate> find(HudiTable table, int limit) throws IOException {
    return find(table, limit, KEYS_IN_MEMORY);
  }

  static List<Duplicate> find(HudiTable table, int limit, int keysInMemory) throws IOException {
    List<ScanSplit> splits = IndexScanner.planAll(table);
    int parts = 1;
    while (true) {
      Map<String, List<FileGroupId>> found = new TreeMap<>();
      boolean fits = true;
      for (int part = 0; part < parts && fits && found.size() < limit; part++) {
        fits = findPart(table, splits, new Part(part, parts, keysInMemory), found);
      }
      if (fits) {
        return found.entrySet().stream()
            .limit(limit)
            .map(entry -> new Duplicate(entry.getKey(), entry.getValue()))
            .toList();
      }
      parts *= 4;
    }
  }

  /** Keys whose hash has this rest. */
  private record Part(int rest, int of, int keysInMemory) {
    boolean has(ByteBuffer key) {
      return Math.floorMod(key.hashCode() * 0x9E3779B9 >>> 8, of) == rest;
    }
  }

  /** False if the part has too many keys. */
  private static boolean findPart(
      HudiTable table, List<ScanSplit> splits, Part part, Map<String, List<FileGroupId>> found)
      throws IOException {
    IndexScanner scanner = new IndexScanner(table.readContext());
    Map<ByteBuffer, FileGroupId> first = new HashMap<>();
    for (ScanSplit split : splits) {
      scanner.scan(
          split,
          entry -> {
            ByteBuffer key = ByteBuffer.wrap(entry.recordKey());
            if (entry.isDelete() || !part.has(key) || first.size() > part.keysInMemory()) {
              return;
            }
            FileGroupId other = first.putIfAbsent(key, entry.groupId());
            if (other != null && !other.equals(entry.groupId())) {
              found
                  .computeIfAbsent(
                      new String(entry.recordKey(), java.nio.charset.StandardCharsets.UTF_8),
                      text -> new ArrayList<>(List.of(other)))
                  .add(entry.groupId());
            }
          });
      if (first.size() > part.keysInMemory()) {
        return false;
      }
    }
    return true;
  }
}
