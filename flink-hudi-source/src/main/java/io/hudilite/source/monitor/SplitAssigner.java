package io.hudilite.source.monitor;

import static java.util.Objects.requireNonNull;

import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted.Held;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.Ticks;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
 * rows of two readers may overtake each other on the network. {@link Ticks} are for those who put
 * them in order.
 */
final class SplitAssigner {

  /** How splits are dealt out to readers. */
  enum Affinity {
    /** Any split to any reader. */
    NONE,
    /** One reader gets everything. */
    ONE_READER
  }

  /** So much is handed out at once; many small splits need not wait for one message each. */
  private static final long BATCH_BYTES = 64L << 20;

  private static final int BATCH_SPLITS = 256;

  /** The reader that gets everything if only one does. */
  private static final int ONE_READER = 0;

  private final int readers;
  private final Affinity affinity;
  private final TreeMap<Stage, Pending> pending = new TreeMap<>();

  private final Unfinished unfinished = new Unfinished();

  /** Readers that may hold splits of which we do not know. */
  private final Set<Integer> inDoubt = new TreeSet<>();

  private final Set<Integer> waiting = new LinkedHashSet<>();
  private int pendingSplits;

  /** The newest stage of which splits were handed out, and its tick. */
  @Nullable private Stage openStage;

  private long lastTick;

  /** What all rows of the finished splits together make. */
  private long watermarkMillis;

  private SplitAssigner(int readers, Affinity affinity, MonitorState.Clock ticks) {
    this.readers = readers;
    this.affinity = requireNonNull(affinity, "affinity");
    this.lastTick = ticks.lastTick();
    this.watermarkMillis = ticks.watermarkMillis();
  }

  /** For a read that begins: no reader has anything. */
  static SplitAssigner fresh(int readers, Affinity affinity) {
    return new SplitAssigner(readers, affinity, MonitorState.Clock.START);
  }

  /** For a read that goes on from a checkpoint: any reader may have splits in its own state. */
  static SplitAssigner restored(
      int readers, Affinity affinity, Collection<HudiSplit> pending, MonitorState.Clock ticks) {
    SplitAssigner assigner = new SplitAssigner(readers, affinity, ticks);
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
  void readerStarted(int reader, Map<String, Held> restored) {
    waiting.remove(reader);
    unfinished.removeAll(reader);
    restored.forEach((splitId, held) -> unfinished.add(reader, splitId, held));
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

  /**
   * Splits of which all rows are emitted; what this reader does not hold is ignored.
   *
   * @param watermark that their rows made, in ms; {@link Long#MIN_VALUE} if none
   */
  void splitsFinished(int reader, Collection<String> splitIds, long watermark) {
    if (!inDoubt.contains(reader)) { // else it is word of a former life of the reader
      splitIds.forEach(splitId -> unfinished.remove(reader, splitId));
      watermarkMillis = Math.max(watermarkMillis, watermark);
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
      int before = pendingSplits;
      Pending open = pending.get(stage);
      if (!stage.equals(openStage) && waiting.stream().anyMatch(r -> mayHave(present, r))) {
        lastTick = open.tick == Ticks.NONE ? Ticks.next(lastTick, watermarkMillis) : open.tick;
        openStage = stage;
      }
      for (int reader : List.copyOf(waiting)) {
        List<HudiSplit> taken = mayHave(present, reader) ? takeBatch(open, reader) : List.of();
        if (!taken.isEmpty()) {
          assignments.put(reader, taken);
          waiting.remove(reader);
        }
      }
      if (open.isEmpty()) {
        pending.remove(stage);
      }
      if (pendingSplits == before) {
        break; // nobody who may have them waits
      }
    }
    return assignments;
  }

  private boolean mayHave(Set<Integer> present, int reader) {
    return present.contains(reader) && (affinity != Affinity.ONE_READER || reader == ONE_READER);
  }

  /**
   * No row of an earlier tick will come from any reader. Empty as long as that is not known for
   * sure.
   */
  OptionalLong reachedTick() {
    if (!inDoubt.isEmpty()) {
      return OptionalLong.empty();
    }
    long next = Ticks.next(lastTick, watermarkMillis);
    if (!pending.isEmpty()) {
      long waiting = tickOf(pending.firstKey());
      next = waiting == Ticks.NONE ? next : Math.min(next, waiting);
    }
    return OptionalLong.of(Math.min(next, unfinished.lowestTick(next)));
  }

  /** {@link Ticks#NONE} if no split of this stage was handed out before. */
  private long tickOf(Stage stage) {
    return stage.equals(openStage) ? lastTick : pending.get(stage).tick;
  }

  MonitorState.Clock ticks() {
    return new MonitorState.Clock(lastTick, watermarkMillis);
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
    pending.forEach((stage, waits) -> waits.addTo(splits, tickOf(stage)));
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
      HudiSplit split = open.take();
      if (split == null) {
        break;
      }
      pendingSplits--;
      bytes += split.sizeBytes();
      unfinished.add(reader, split.splitId(), Held.of(split));
      batch.add(split);
    }
    return batch;
  }

  /** What readers hold and have not finished. */
  private static final class Unfinished {
    private final Map<Integer, Map<String, Held>> byReader = new HashMap<>();
    private final TreeMap<Stage, Integer> stages = new TreeMap<>();
    private final TreeMap<Long, Integer> ticks = new TreeMap<>();

    void add(int reader, String splitId, Held split) {
      if (byReader.computeIfAbsent(reader, r -> new HashMap<>()).put(splitId, split) == null) {
        stages.merge(split.stage(), 1, Integer::sum);
        ticks.merge(split.tick(), 1, Integer::sum);
      }
    }

    void remove(int reader, String splitId) {
      Map<String, Held> held = byReader.get(reader);
      Held split = held == null ? null : held.remove(splitId);
      if (split != null) {
        forget(split);
      }
    }

    void removeAll(int reader) {
      Map<String, Held> held = byReader.remove(reader);
      if (held != null) {
        held.values().forEach(this::forget);
      }
    }

    private void forget(Held split) {
      stages.computeIfPresent(split.stage(), (s, count) -> count == 1 ? null : count - 1);
      ticks.computeIfPresent(split.tick(), (t, count) -> count == 1 ? null : count - 1);
    }

    @Nullable
    Stage lowest() {
      return stages.isEmpty() ? null : stages.firstKey();
    }

    long lowestTick(long ifNone) {
      return ticks.isEmpty() ? ifNone : ticks.firstKey();
    }
  }

  /** Splits of one stage that nobody has. */
  private final class Pending {
    private final Set<String> ids = new HashSet<>();
    private final ArrayDeque<HudiSplit> open = new ArrayDeque<>();

    /** Of those splits that were handed out before and came back; {@link Ticks#NONE} if none. */
    private long tick = Ticks.NONE;

    /** False if the split is here already. */
    boolean add(HudiSplit split) {
      if (!ids.add(split.splitId())) {
        return false;
      }
      tick = Math.max(tick, split.turn().tick());
      open.add(split);
      return true;
    }

    @Nullable
    HudiSplit take() {
      HudiSplit split = open.poll();
      if (split == null) {
        return null;
      }
      ids.remove(split.splitId());
      return split.withTick(lastTick);
    }

    int size() {
      return open.size();
    }

    boolean isEmpty() {
      return open.isEmpty();
    }

    void addTo(List<HudiSplit> splits, long tickNow) {
      open.forEach(split -> splits.add(split.withTick(tickNow)));
    }
  }
}
