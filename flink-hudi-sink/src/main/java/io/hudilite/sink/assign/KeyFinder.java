package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.KeyFilter;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.merge.Version;
import io.hudilite.core.scan.IndexScanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.view.FileSystemView;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import javax.annotation.Nullable;

/**
 * Finds keys in the files of a table. Only files that may hold one are read, and of those the keys:
 * footers tell it of base files; of log files, whose keys stand nowhere else, the hashes of the
 * keys that were read once. Not safe for use by several threads.
 */
final class KeyFinder {
  private static final long MOST_CACHED_BYTES = 64 << 20;

  private final IndexScope scope;
  private final Cache<KeyFilter> filters = new Cache<>(KeyFilter::sizeBytes);
  private final Cache<int[]> hashes = new Cache<>(kept -> 256L + 4L * kept.length);

  KeyFinder(IndexScope scope) {
    this.scope = requireNonNull(scope, "scope");
  }

  /**
   * Visits what the table says of some keys, and perhaps of others with the same hash.
   *
   * @param table as it is to be seen
   * @param wanted a row for each key
   * @param counts tells of a log file whether it may hold one of the keys
   * @param visitors for the keys of a file group; groups come one after the other
   */
  void find(
      HudiTable table,
      Map<RecordKey, HudiRecord> wanted,
      Predicate<LogFile> counts,
      Function<FileGroupId, SliceKeyReader.Visitor> visitors)
      throws IOException {
    FileSystemView view = table.view();
    IndexScanner scanner = new IndexScanner(table.readContext());
    switch (scope) {
      case TABLE -> {
        for (String partition : view.partitions()) {
          find(table, view.latestSlices(partition), scanner, wanted, counts, visitors);
        }
      }
      case PARTITION -> {
        Map<String, Map<RecordKey, HudiRecord>> byPartition = new HashMap<>();
        wanted.forEach(
            (key, record) ->
                byPartition
                    .computeIfAbsent(record.partitionPath(), path -> new HashMap<>())
                    .put(key, record));
        Set<String> known = new TreeSet<>(view.partitions());
        known.retainAll(byPartition.keySet());
        for (String partition : known) {
          Map<RecordKey, HudiRecord> own = byPartition.get(partition);
          find(table, view.latestSlices(partition), scanner, own, counts, visitors);
        }
      }
    }
  }

  private void find(
      HudiTable table,
      List<FileSlice> slices,
      IndexScanner scanner,
      Map<RecordKey, HudiRecord> wanted,
      Predicate<LogFile> counts,
      Function<FileGroupId, SliceKeyReader.Visitor> visitors)
      throws IOException {
    for (FileSlice slice : slices) {
      List<LogFile> logs = slice.logFiles().stream().filter(counts).toList();
      FileSlice read =
          new FileSlice(slice.groupId(), slice.baseInstant(), slice.baseFile().orElse(null), logs);
      String files = logs.isEmpty() ? null : nameOf(read);
      boolean mayHold =
          files == null ? mayHold(table, read, wanted) : mayHold(hashes.get(files), wanted);
      if (mayHold) {
        Hashing visitor = new Hashing(visitors.apply(slice.groupId()), slice.groupId());
        scanner.scanVersions(new ScanSplit.Snapshot(read, LogBlockFilter.ALL), visitor);
        if (files != null) {
          hashes.put(files, visitor.sorted());
        }
      }
    }
  }

  /** Files never change, so equal names have equal keys. */
  private static String nameOf(FileSlice slice) {
    StringBuilder name = new StringBuilder(slice.groupId().partitionPath());
    slice.baseFile().ifPresent(base -> name.append('\0').append(base.name()));
    slice.logFiles().forEach(log -> name.append('\0').append(log.name()));
    return name.toString();
  }

  private boolean mayHold(HudiTable table, FileSlice slice, Map<RecordKey, HudiRecord> wanted)
      throws IOException {
    if (slice.baseFile().isEmpty()) {
      return false;
    }
    BaseFile file = slice.baseFile().get();
    KeyFilter filter = filters.get(file.path());
    if (filter == null) {
      filter = KeyFilter.read(table.storage(), file);
      filters.put(file.path(), filter);
    }
    for (HudiRecord record : wanted.values()) {
      if (filter.mayHold(record.bytes(), record.keyOffset(), record.keyLength())) {
        return true;
      }
    }
    return false;
  }

  private static boolean mayHold(@Nullable int[] sorted, Map<RecordKey, HudiRecord> wanted) {
    return sorted == null
        || wanted.keySet().stream()
            .anyMatch(key -> Arrays.binarySearch(sorted, key.hashCode()) >= 0);
  }

  /** Keeps the hashes of all keys that come by. */
  private final class Hashing implements SliceKeyReader.Visitor {
    private final SliceKeyReader.Visitor visitor;
    private final RecordKey key = new RecordKey();
    private final byte[] partition;
    private int[] seen = new int[1024];
    private int count;

    private Hashing(SliceKeyReader.Visitor visitor, FileGroupId group) {
      this.visitor = visitor;
      this.partition = group.partitionPath().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean wants(byte[] bytes, int offset, int length) throws IOException {
      if (count == seen.length) {
        seen = Arrays.copyOf(seen, count * 2);
      }
      seen[count++] = key.set(bytes, offset, length, partition, scope).hashCode();
      return visitor.wants(bytes, offset, length);
    }

    @Override
    public void visit(Version version) throws IOException {
      visitor.visit(version);
    }

    private int[] sorted() {
      int[] all = Arrays.copyOf(seen, count);
      Arrays.sort(all);
      return all;
    }
  }

  /** What was used lately, up to some bytes. */
  private static final class Cache<V> {
    private final LinkedHashMap<String, V> values = new LinkedHashMap<>(16, 0.75f, true);
    private final Function<V, Long> size;
    private long bytes;

    private Cache(Function<V, Long> size) {
      this.size = size;
    }

    @Nullable
    private V get(String name) {
      return values.get(name);
    }

    private void put(String name, V value) {
      V old = values.put(name, value);
      bytes += size.apply(value) - (old == null ? 0 : size.apply(old));
      var eldest = values.entrySet().iterator();
      while (bytes > MOST_CACHED_BYTES && eldest.hasNext()) {
        bytes -= size.apply(eldest.next().getValue());
        eldest.remove();
      }
    }
  }
}
