package io.hudilite.source.monitor;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * Who reads which split when. Knows neither Flink's runtime nor the table: events in, assignments
 * out, all on one thread.
 *
 * <p>The rule: a split is handed out when no split of an earlier {@link Stage} is unfinished. What
 * is unfinished is known of a reader from the moment that it told what it restored; as long as a
 * reader that failed or was restored has not told, nothing is handed out, since it may hold splits
 * of any earlier stage. A failure takes readers back to a checkpoint, but not this object, so that
 * splits of several stages may come back: they are handed out again in the old order.
 *
 * <p>That a split is finished means that its rows have left the reader, not that they have arrived:
 * rows of two readers may overtake each other on the network. Changes of one file group therefore
 * always go through one reader. A range of several stages moves keys between file groups, so with
 * the first such range a read of changes settles down to one reader for all of them, after what the
 * others sent has had time to arrive: see {@link #settled()}.
 */
final class SplitAssigner {

  /** How file groups are dealt out to readers. */
  enum Affinity {
    /** Any split to any reader: for reads in which each file group is there once. */
    NONE,
    /**
     * The reader that got a file group first gets it ever after, as long as no key can have changed
     * its file group; then one reader gets everything.
     */
    FILE_GROUP
  }

  /** So much is handed out at once; many small splits need not wait for one message each. */
  private static final long BATCH_BYTES = 64L << 20;

  private static final int BATCH_SPLITS = 256;

  private final int readers;
  private final Affinity affinity;
  private final TreeMap<Stage, Pending> pending = new TreeMap<>();

  private final Unfinished unfinished = new Unfinished();

  /** Readers that may hold splits of which we do not know. */
  private final Set<Integer> inDoubt = new TreeSet<>();

  private final Set<Integer> waiting = new LinkedHashSet<>();
  private final Map<FileGroupId, Integer> owners = new HashMap<>();
  private int pendingSplits;

  /** Whether one reader gets everything from now on. */
  private boolean oneReaderOnly;

  /** Whether rows may be under way that some reader other than the one sent. */
  private boolean isUnsettled;

  private SplitAssigner(int readers, Affinity affinity) {
    this.readers = readers;
    this.affinity = requireNonNull(affinity, "affinity");
  }

  /** For a read that begins: no reader has anything. */
  static SplitAssigner fresh(int readers, Affinity affinity) {
    return new SplitAssigner(readers, affinity);
  }

  /** For a read that goes on from a checkpoint: any reader may have splits in its own state. */
  static SplitAssigner restored(int readers, Affinity affinity, Collection<HudiSplit> pending) {
    SplitAssigner assigner = new SplitAssigner(readers, affinity);
    for (int reader = 0; reader < readers; reader++) {
      assigner.inDoubt.add(reader);
    }
    assigner.add(pending);
    return assigner;
  }

  /** Splits that are new, or that a reader got after the checkpoint to which it went back. */
  void add(Collection<HudiSplit> splits) {
    for (HudiSplit split : splits) {
      if (pending.computeIfAbsent(split.stage(), stage -> new Pending()).add(split)) {
        pendingSplits++;
      }
    }
  }

  /** A reader began, for the first time or again, with these splits from its own state. */
  void readerStarted(int reader, Map<String, Stage> restored) {
    waiting.remove(reader);
    unfinished.removeAll(reader);
    restored.forEach((splitId, stage) -> unfinished.add(reader, splitId, stage));
    isUnsettled |= !restored.isEmpty() && reader != theOneReader();
    inDoubt.remove(reader);
  }

  /**
   * A reader is gone and will go back to a checkpoint; {@code back} is what it was given after that
   * one. It will tell itself what it got before.
   */
  void readerFailed(int reader, Collection<HudiSplit> back) {
    waiting.remove(reader);
    unfinished.removeAll(reader);
    inDoubt.add(reader);
    add(back);
  }

  /** A reader has nothing left to read. Asking twice is asking once. */
  void splitsRequested(int reader) {
    waiting.add(reader);
  }

  /** Splits of which all rows are emitted; what this reader does not hold is ignored. */
  void splitsFinished(int reader, Collection<String> splitIds) {
    if (!inDoubt.contains(reader)) { // else it is word of a former life of the reader
      splitIds.forEach(splitId -> unfinished.remove(reader, splitId));
    }
  }

  /**
   * Takes what can be handed out now, by reader.
   *
   * @param present readers that can be reached
   */
  Map<Integer, List<HudiSplit>> takeAssignments(Set<Integer> present) {
    Map<Integer, List<HudiSplit>> assignments = new LinkedHashMap<>();
    while (!pending.isEmpty() && !waiting.isEmpty() && inDoubt.isEmpty()) {
      Stage stage = pending.firstKey();
      Stage beingRead = unfinished.lowest();
      if (beingRead != null && beingRead.compareTo(stage) < 0) {
        break;
      }
      if (affinity == Affinity.FILE_GROUP && movesKeys(stage) && !settleDown(beingRead)) {
        break;
      }
      int before = pendingSplits;
      Pending open = pending.get(stage);
      for (int reader : List.copyOf(waiting)) {
        boolean mayHave = present.contains(reader) && (!oneReaderOnly || reader == theOneReader());
        List<HudiSplit> taken = mayHave ? takeBatch(open, reader) : List.of();
        if (!taken.isEmpty()) {
          assignments.put(reader, taken);
          waiting.remove(reader);
        }
      }
      if (open.isEmpty()) {
        pending.remove(stage);
      }
      if (pendingSplits == before) {
        break; // what is left belongs to readers that are busy
      }
    }
    return assignments;
  }

  /**
   * Everything that readers sent before now has arrived. Only counts if nothing is being read.
   *
   * @see #isQuiet()
   */
  void settled() {
    if (isQuiet()) {
      isUnsettled = false;
    }
  }

  /** Whether no reader has anything to read, for sure. */
  boolean isQuiet() {
    return inDoubt.isEmpty() && unfinished.lowest() == null;
  }

  /** Whether it waits for {@link #settled()}. */
  boolean waitsToSettle() {
    return isUnsettled
        && !oneReaderOnly
        && affinity == Affinity.FILE_GROUP
        && !pending.isEmpty()
        && movesKeys(pending.firstKey());
  }

  /** Whether the stage is one of several of its range. */
  private boolean movesKeys(Stage stage) {
    Stage next = pending.higherKey(stage);
    return stage.phase() > 0 || (next != null && next.range() == stage.range());
  }

  /** Changes over to one reader; false as long as that must wait. */
  private boolean settleDown(@Nullable Stage beingRead) {
    if (!oneReaderOnly && readers > 1 && (isUnsettled || beingRead != null)) {
      return false;
    }
    oneReaderOnly = true;
    return true;
  }

  private static int theOneReader() {
    return 0;
  }

  /**
   * Takes the readers that wait although everything is handed out. Only right when no more splits
   * will be planned; a reader that fails later asks again.
   */
  List<Integer> takeIdleReaders(Set<Integer> present) {
    if (!pending.isEmpty()) {
      return List.of();
    }
    List<Integer> idle = waiting.stream().filter(present::contains).toList();
    idle.forEach(waiting::remove);
    return idle;
  }

  /** Whether nothing waits to be handed out. */
  boolean isDrained() {
    return pending.isEmpty();
  }

  /** Number of splits that nobody has. */
  int pendingCount() {
    return pendingSplits;
  }

  /** What nobody has, in the order of stages. */
  List<HudiSplit> pending() {
    List<HudiSplit> splits = new ArrayList<>(pendingSplits);
    pending.values().forEach(stage -> stage.addTo(splits));
    return splits;
  }

  /**
   * Number of the first range with splits that are not known to be finished.
   *
   * @param next number of the range that is planned next: the answer if everything is finished
   */
  long firstUnfinishedRange(long next) {
    if (!inDoubt.isEmpty()) {
      return 0;
    }
    Stage being = unfinished.lowest();
    long first = being == null ? next : being.range();
    return pending.isEmpty() ? first : Math.min(first, pending.firstKey().range());
  }

  /** Fair and dynamic: half of an even share of what is left, at least one, not too many bytes. */
  private List<HudiSplit> takeBatch(Pending open, int reader) {
    int share = Math.max(1, Math.min(BATCH_SPLITS, open.size() / (2 * readers)));
    List<HudiSplit> batch = new ArrayList<>();
    long bytes = 0;
    while (batch.size() < share && bytes < BATCH_BYTES) {
      HudiSplit split = open.take(reader);
      if (split == null) {
        break;
      }
      pendingSplits--;
      bytes += split.sizeBytes();
      unfinished.add(reader, split.splitId(), split.stage());
      isUnsettled |= reader != theOneReader();
      batch.add(split);
    }
    return batch;
  }

  /** What readers hold and have not finished. */
  private static final class Unfinished {
    private final Map<Integer, Map<String, Stage>> byReader = new HashMap<>();
    private final TreeMap<Stage, Integer> counts = new TreeMap<>();

    void add(int reader, String splitId, Stage stage) {
      if (byReader.computeIfAbsent(reader, r -> new HashMap<>()).put(splitId, stage) == null) {
        counts.merge(stage, 1, Integer::sum);
      }
    }

    void remove(int reader, String splitId) {
      Map<String, Stage> held = byReader.get(reader);
      Stage stage = held == null ? null : held.remove(splitId);
      if (stage != null) {
        forget(stage);
      }
    }

    void removeAll(int reader) {
      Map<String, Stage> held = byReader.remove(reader);
      if (held != null) {
        held.values().forEach(this::forget);
      }
    }

    private void forget(Stage stage) {
      counts.computeIfPresent(stage, (s, count) -> count == 1 ? null : count - 1);
    }

    @Nullable
    Stage lowest() {
      return counts.isEmpty() ? null : counts.firstKey();
    }
  }

  /** Splits of one stage that nobody has. Those of owned file groups wait for their owner. */
  private final class Pending {
    private final Set<String> ids = new LinkedHashSet<>();
    private final ArrayDeque<HudiSplit> open = new ArrayDeque<>();
    private final Map<Integer, ArrayDeque<HudiSplit>> owned = new HashMap<>();

    /** False if the split is here already. */
    boolean add(HudiSplit split) {
      if (!ids.add(split.splitId())) {
        return false;
      }
      open.add(split);
      return true;
    }

    /** The next split for this reader, or null. */
    @Nullable
    HudiSplit take(int reader) {
      HudiSplit split = takeOwned(reader);
      while (split == null && !open.isEmpty()) {
        HudiSplit next = open.poll();
        int owner =
            affinity == Affinity.NONE || oneReaderOnly
                ? reader
                : owners.computeIfAbsent(next.fileGroupId(), group -> reader);
        if (owner == reader) {
          split = next;
        } else {
          owned.computeIfAbsent(owner, o -> new ArrayDeque<>()).add(next);
        }
      }
      if (split != null) {
        ids.remove(split.splitId());
      }
      return split;
    }

    @Nullable
    private HudiSplit takeOwned(int reader) {
      if (oneReaderOnly && !owned.isEmpty()) {
        owned.values().forEach(open::addAll);
        owned.clear();
      }
      ArrayDeque<HudiSplit> own = owned.get(reader);
      return own == null ? null : own.poll();
    }

    int size() {
      return ids.size();
    }

    boolean isEmpty() {
      return ids.isEmpty();
    }

    void addTo(List<HudiSplit> splits) {
      owned.values().forEach(splits::addAll);
      splits.addAll(open);
    }
  }
}
