package io.hudilite.source.read;

import io.hudilite.core.base.RowReader;
import io.hudilite.source.split.HudiSplit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Queue;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * The splits that a reader has, in the order in which they are read. Those that are paused are
 * passed over; they stay open, and go on before later ones when they are resumed. Fetcher thread.
 */
final class SplitQueue {
  private final Queue<OpenSplit> splits = new ArrayDeque<>();
  private final Set<String> paused = new HashSet<>();

  void add(HudiSplit split) {
    splits.add(new OpenSplit(split));
  }

  boolean isEmpty() {
    return splits.isEmpty();
  }

  /** The one to read now; null if there is none, or all are paused. */
  @Nullable
  OpenSplit next() {
    if (paused.isEmpty()) {
      return splits.peek();
    }
    for (OpenSplit split : splits) {
      if (!paused.contains(split.split().splitId())) {
        return split;
      }
    }
    return null;
  }

  void pause(Collection<HudiSplit> ids) {
    ids.forEach(split -> paused.add(split.splitId()));
  }

  void resume(Collection<HudiSplit> ids) {
    ids.forEach(split -> paused.remove(split.splitId()));
  }

  /** Nothing more is read of this one. */
  void finish(OpenSplit done) throws IOException {
    splits.remove(done);
    paused.remove(done.split().splitId());
    done.close();
  }

  /** Closes and forgets all of them. */
  void close() throws IOException {
    for (Iterator<OpenSplit> all = splits.iterator(); all.hasNext(); ) {
      OpenSplit split = all.next();
      all.remove();
      split.close();
    }
  }

  /** A split with the reader of its rows, once there is one. */
  static final class OpenSplit {
    private final HudiSplit split;

    /** How many rows are still to be skipped. */
    private long toSkip;

    @Nullable private RowReader rows;

    private OpenSplit(HudiSplit split) {
      this.split = split;
      this.toSkip = split.rowsDone();
    }

    HudiSplit split() {
      return split;
    }

    RowReader rows(SplitOpener opener) throws IOException {
      if (rows == null) {
        rows = opener.open(split.scan());
      }
      return rows;
    }

    long toSkip() {
      return toSkip;
    }

    void skipped(long count) {
      toSkip -= count;
    }

    private void close() throws IOException {
      if (rows != null) {
        rows.close();
      }
    }
  }
}
