package io.hudilite.core.soak;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.readerlease.ReaderLeaseStore;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.types.RowKind;

/**
 * Reads a table from earliest on, a split at a time, and folds what it reads. Its lease holds what
 * its checkpoint needs, to which a stop takes it back.
 */
final class StreamingReader {
  private static final Duration LIFE = Duration.ofDays(1);

  /** All that a stop leaves. */
  private record State(
      @Nullable InstantTime position,
      @Nullable InstantTime needed,
      List<ScanSplit> unread,
      Map<String, String> rows) {}

  private final Storage storage;
  private final String name;
  private final ReaderLeaseStore leases;
  private final IncrementalPlanner planner = new IncrementalPlanner(path -> true);
  private final Deque<ScanSplit> unread = new ArrayDeque<>();
  private final Map<String, String> rows = new TreeMap<>();

  /** Up to which all is planned, and from which the range at hand was planned. */
  @Nullable private InstantTime position;

  @Nullable private InstantTime needed;
  private int emitted;
  private State checkpoint = new State(null, null, List.of(), Map.of());

  StreamingReader(Storage storage, String name, InstantSource wall) {
    this.storage = storage;
    this.name = name;
    this.leases = new ReaderLeaseStore(storage, wall);
  }

  /** Plans if there is nothing to read, else reads some splits. */
  void go(int splits) throws IOException {
    if (unread.isEmpty()) {
      plan();
    }
    HudiTable table = HudiTable.open(storage);
    for (int i = 0; i < splits && !unread.isEmpty(); i++) {
      read(table, unread.poll());
    }
  }

  private void plan() throws IOException {
    HudiTable table = HudiTable.open(storage);
    if (position == null) {
      needed = table.timeline().lastCompletion().orElse(InstantTime.BEGINNING);
      hold(needed);
      take(planner.first(HudiTable.open(storage), new StartingPosition.Earliest()));
      return;
    }
    InstantTime from = position;
    planner
        .next(table, from)
        .ifPresent(
            range -> {
              needed = from;
              take(range);
            });
  }

  private void take(ScanRange range) {
    range.stages().forEach(unread::addAll);
    position = range.end();
  }

  private void read(HudiTable table, ScanSplit split) throws IOException {
    try (RowReader reader = SplitReader.open(table.readContext(), split, MorTable.ROW_TYPE)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        emitted++;
        String key = row.getString(3) + "/" + row.getString(0);
        if (row.getRowKind() == RowKind.DELETE) {
          rows.remove(key);
        } else {
          rows.put(key, key + "=" + row.getString(1) + "@" + row.getLong(2));
        }
      }
    }
  }

  void checkpoint() throws IOException {
    checkpoint = new State(position, needed, List.copyOf(unread), Map.copyOf(rows));
    hold(unread.isEmpty() && position != null ? position : needed);
  }

  private void hold(@Nullable InstantTime at) throws IOException {
    if (at != null) {
      leases.hold(name, at, LIFE);
    }
  }

  /** Forgets what came after the checkpoint. */
  void restore() {
    position = checkpoint.position();
    needed = checkpoint.needed();
    unread.clear();
    unread.addAll(checkpoint.unread());
    rows.clear();
    rows.putAll(checkpoint.rows());
  }

  /** Null in the middle of a range. */
  @Nullable
  InstantTime upTo() {
    return unread.isEmpty() ? position : null;
  }

  /** The oldest position that it may yet be at; null if that is the beginning. */
  @Nullable
  InstantTime oldest() {
    return checkpoint.position();
  }

  /** How many rows came so far. */
  int emitted() {
    return emitted;
  }

  /** What is left of all changes so far, sorted. */
  List<String> rows() {
    return rows.values().stream().sorted().toList();
  }
}
