package io.hudilite.core.repair;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.merge.Version;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Keys that have several rows: writers without a common index leave them, for instance inserts, or
 * two engines at once. Reads the keys of the whole table, as often as it takes to hold a part of
 * them in memory. Of the rows of a key that one is to be kept which the table's merge rule picks,
 * the one of the later instant being the later version.
 */
public final class DuplicateKeys {
  private static final int KEYS_IN_MEMORY = 1_000_000;
  private static final int ROWS_BETWEEN_STEPS = 1_000;

  private static final RowType KEY_AND_TIME =
      RowType.of(
          new VarCharType[] {
            new VarCharType(VarCharType.MAX_LENGTH), new VarCharType(VarCharType.MAX_LENGTH)
          },
          new String[] {MetaColumns.RECORD_KEY, MetaColumns.COMMIT_TIME});

  private final HudiTable table;
  private final KeyScope scope;
  private final int keysInMemory;
  private final Step step;
  private final RecordMerger merger;

  DuplicateKeys(HudiTable table, KeyScope scope, int keysInMemory, Step step) {
    this.table = requireNonNull(table, "table");
    this.scope = requireNonNull(scope, "scope");
    this.keysInMemory = keysInMemory;
    this.step = requireNonNull(step, "step");
    this.merger = RecordMerger.of(table.config());
  }

  /** Called every thousand rows or so; throws if the work is not to go on. */
  @FunctionalInterface
  interface Step {
    void passed() throws IOException;
  }

  /**
   * A row.
   *
   * @param position among the rows that a snapshot of the file group has, from 0
   */
  public record Place(FileGroupId group, long position) {
    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::group).thenComparingLong(Place::position);
  }

  /**
   * A key, and its rows.
   *
   * @param dropped the rows that are too many; one at least
   */
  public record Duplicate(String recordKey, Place kept, List<Place> dropped) {
    public Duplicate {
      dropped = List.copyOf(dropped);
    }

    /** Where rows of it are, each group once. */
    public List<FileGroupId> groups() {
      List<FileGroupId> groups = new ArrayList<>(List.of(kept.group()));
      dropped.forEach(place -> groups.add(place.group()));
      return groups.stream().distinct().sorted().toList();
    }
  }

  /**
   * By key.
   *
   * @param limit so many at most
   */
  public static List<Duplicate> find(HudiTable table, KeyScope scope, int limit)
      throws IOException {
    return new DuplicateKeys(table, scope, KEYS_IN_MEMORY, () -> {}).find(limit);
  }

  static DuplicateKeys watched(HudiTable table, KeyScope scope, Step step) {
    return new DuplicateKeys(table, scope, KEYS_IN_MEMORY, step);
  }

  List<Duplicate> find(int limit) throws IOException {
    List<ScanSplit> splits = new ScanPlanner().snapshot(table);
    int parts = 1;
    while (true) {
      List<Duplicate> found = new ArrayList<>();
      boolean fits = true;
      for (int part = 0; part < parts && fits && found.size() < limit; part++) {
        fits = findPart(splits, new Part(part, parts), found);
      }
      if (fits) {
        return found.stream()
            .sorted(
                Comparator.comparing(Duplicate::recordKey)
                    .thenComparing(Duplicate::kept, Place.ORDER))
            .limit(limit)
            .toList();
      }
      parts *= 4;
    }
  }

  /** Keys whose hash has this rest. */
  private record Part(int rest, int of) {
    boolean has(ByteBuffer key) {
      return Math.floorMod((key.hashCode() * 0x9E3779B9) >>> 8, of) == rest;
    }
  }

  /** One row of a key. */
  private record Candidate(Place place, String time, OrderingValue ordering) {
    static final Comparator<Candidate> AGE =
        Comparator.comparing(Candidate::time).thenComparing(Candidate::place, Place.ORDER);

    Version version() {
      return new Version().set(false, ordering);
    }
  }

  /** The row of a key that is to be kept as far as is known, and the others. */
  private static final class Rows {
    private Candidate kept;
    @Nullable private List<Place> dropped;

    private Rows(Candidate first) {
      kept = first;
    }

    private void add(Candidate other, RecordMerger merger) {
      boolean isLater = Candidate.AGE.compare(other, kept) > 0;
      boolean replaces =
          isLater
              ? merger.laterWins(kept.version(), other.version())
              : !merger.laterWins(other.version(), kept.version());
      if (dropped == null) {
        dropped = new ArrayList<>(1);
      }
      dropped.add(replaces ? kept.place() : other.place());
      kept = replaces ? other : kept;
    }
  }

  /** False if the part has too many keys. */
  private boolean findPart(List<ScanSplit> splits, Part part, List<Duplicate> found)
      throws IOException {
    Map<ByteBuffer, Rows> keys = new HashMap<>();
    Map<ByteBuffer, Rows> several = new TreeMap<>();
    for (ScanSplit split : splits) {
      FileGroupId group = split.groupId();
      byte[] prefix =
          scope == KeyScope.TABLE
              ? new byte[0]
              : (group.partitionPath() + "\0").getBytes(StandardCharsets.UTF_8);
      try (FileSliceReader reader =
          FileSliceReader.openWithOrdering(
              table.readContext(),
              split.slice(),
              split.blocks(),
              new RowSelection.Live(),
              KEY_AND_TIME)) {
        long position = 0;
        for (RowData row = reader.next(); row != null; row = reader.next(), position++) {
          if (position % ROWS_BETWEEN_STEPS == 0) {
            step.passed();
          }
          byte[] recordKey = row.getString(0).toBytes();
          ByteBuffer key =
              ByteBuffer.allocate(prefix.length + recordKey.length)
                  .put(prefix)
                  .put(recordKey)
                  .flip();
          if (!part.has(key)) {
            continue;
          }
          Candidate candidate =
              new Candidate(
                  new Place(group, position), row.getString(1).toString(), reader.ordering());
          Rows rows = keys.get(key);
          if (rows == null) {
            if (keys.size() == keysInMemory) {
              return false;
            }
            keys.put(key, new Rows(candidate));
          } else {
            rows.add(candidate, merger);
            several.put(key, rows);
          }
        }
      }
    }
    several.forEach((key, rows) -> found.add(duplicate(key, rows)));
    return true;
  }

  private Duplicate duplicate(ByteBuffer key, Rows rows) {
    String text = StandardCharsets.UTF_8.decode(key.duplicate()).toString();
    return new Duplicate(
        scope == KeyScope.TABLE ? text : text.substring(text.indexOf('\0') + 1),
        rows.kept.place(),
        requireNonNull(rows.dropped).stream().sorted(Place.ORDER).toList());
  }
}
