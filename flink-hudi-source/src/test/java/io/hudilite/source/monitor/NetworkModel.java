package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.source.order.KeyOrderModel;
import io.hudilite.source.split.Ticks;
import io.hudilite.source.split.Turn;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.annotation.Nullable;

/**
 * What is behind the readers of a staged read: a channel from each reader to each subtask of the
 * operator that orders keys, and that operator. Channels keep their order, but nothing is known
 * between two of them. Checkpoints are aligned or not: then a barrier overtakes rows, which become
 * part of the checkpoint.
 */
final class NetworkModel {
  sealed interface Item {
    /** A row: the newest version of a key, or its delete. */
    record Row(String key, boolean isDelete, long range, long eventTime, long timestamp)
        implements Item {}

    record Mark(long watermark) implements Item {}

    record Barrier() implements Item {}
  }

  /** What has passed the operator, folded. */
  private record Passed(long range, boolean isDelete) {}

  private static final class Subtask {
    final KeyOrderModel order = new KeyOrderModel();
    final Map<String, Passed> folded = new HashMap<>();
    long[] marks = new long[0];
    boolean[] blocked = new boolean[0];
    boolean[] records = new boolean[0];
    boolean hasSnapshot = true;
  }

  /** State of the operator and the rows that were on their way, in order per reader. */
  static final class Snapshot {
    private final Map<String, Long> newest = new HashMap<>();
    private final Map<String, Passed> folded = new HashMap<>();
    private final Map<Integer, List<Item>> underWay = new HashMap<>();
  }

  private final Random random;
  private final boolean isAligned;
  private final List<List<ArrayDeque<Item>>> channels = new ArrayList<>();
  private final List<Subtask> subtasks = new ArrayList<>();
  private final Map<Long, Long> newestEventTimes;
  private int readers;
  @Nullable private Snapshot running;

  /**
   * @param newestEventTimes of the rows of each range
   */
  NetworkModel(Random random, boolean isAligned, Map<Long, Long> newestEventTimes) {
    this.random = random;
    this.isAligned = isAligned;
    this.newestEventTimes = newestEventTimes;
  }

  /** All tasks begin anew, with what a checkpoint holds. */
  void start(int parallelism, @Nullable Snapshot from) {
    readers = parallelism;
    running = null;
    channels.clear();
    subtasks.clear();
    for (int i = 0; i < parallelism; i++) {
      Subtask subtask = new Subtask();
      subtask.marks = new long[parallelism];
      java.util.Arrays.fill(subtask.marks, Long.MIN_VALUE);
      subtask.blocked = new boolean[parallelism];
      subtask.records = new boolean[parallelism];
      subtasks.add(subtask);
      List<ArrayDeque<Item>> ofReader = new ArrayList<>();
      for (int j = 0; j < parallelism; j++) {
        ofReader.add(new ArrayDeque<>());
      }
      channels.add(ofReader);
    }
    if (from != null) {
      from.newest.forEach((key, timestamp) -> of(key).order.remember(key, timestamp));
      from.folded.forEach((key, passed) -> of(key).folded.put(key, passed));
      from.underWay.forEach(
          (reader, items) -> items.forEach(item -> push(reader % parallelism, item)));
    }
  }

  private Subtask of(String key) {
    return subtasks.get(indexOf(key));
  }

  private int indexOf(String key) {
    return Math.floorMod(key.hashCode(), subtasks.size());
  }

  /** A reader sends a row or a mark. */
  void push(int reader, Item item) {
    for (int to = 0; to < subtasks.size(); to++) {
      if (item instanceof Item.Row row && to != indexOf(row.key())) {
        continue;
      }
      channels.get(reader).get(to).add(item);
      if (subtasks.get(to).records[reader] && item instanceof Item.Row && running != null) {
        underWay(reader).add(item);
      }
    }
  }

  private List<Item> underWay(int reader) {
    return running.underWay.computeIfAbsent(reader, r -> new ArrayList<>());
  }

  void startCheckpoint() {
    running = new Snapshot();
    subtasks.forEach(subtask -> subtask.hasSnapshot = false);
  }

  void abortCheckpoint() {
    running = null;
    for (Subtask subtask : subtasks) {
      subtask.hasSnapshot = true;
      java.util.Arrays.fill(subtask.blocked, false);
      java.util.Arrays.fill(subtask.records, false);
    }
    channels.forEach(list -> list.forEach(c -> c.removeIf(i -> i instanceof Item.Barrier)));
  }

  /** The barrier of a reader, behind all that it sent. */
  void barrier(int reader) {
    for (int to = 0; to < subtasks.size(); to++) {
      if (subtasks.get(to).records[reader]) {
        subtasks.get(to).records[reader] = false; // it arrived, everything before is recorded
      } else {
        channels.get(reader).get(to).add(new Item.Barrier());
      }
    }
  }

  /** The snapshot of the running checkpoint, when all subtasks have made theirs. */
  @Nullable
  Snapshot finished() {
    boolean done =
        subtasks.stream()
            .allMatch(
                s -> {
                  boolean records = false;
                  for (boolean r : s.records) {
                    records |= r;
                  }
                  return s.hasSnapshot && !records;
                });
    Snapshot result = done ? running : null;
    if (done) {
      running = null;
    }
    return result;
  }

  /** One subtask takes one item from one channel. */
  void step() {
    int to = random.nextInt(subtasks.size());
    Subtask subtask = subtasks.get(to);
    int reader = random.nextInt(readers);
    ArrayDeque<Item> channel = channels.get(reader).get(to);
    if (!isAligned && running != null && !subtask.hasSnapshot && random.nextInt(4) == 0) {
      boolean sees = channels.stream().anyMatch(c -> hasBarrier(c.get(subtasks.indexOf(subtask))));
      if (sees) {
        snapshotUnaligned(to);
        return;
      }
    }
    if (subtask.blocked[reader] || channel.isEmpty()) {
      return;
    }
    Item item = channel.poll();
    if (item instanceof Item.Row row) {
      arrive(subtask, row);
    } else if (item instanceof Item.Mark mark) {
      arrive(subtask, reader, mark);
    } else if (isAligned) {
      subtask.blocked[reader] = true;
      alignBarriers(subtask);
    } else {
      channel.addFirst(item);
      snapshotUnaligned(to);
    }
  }

  private static boolean hasBarrier(ArrayDeque<Item> channel) {
    return channel.stream().anyMatch(i -> i instanceof Item.Barrier);
  }

  private void alignBarriers(Subtask subtask) {
    for (boolean blocked : subtask.blocked) {
      if (!blocked) {
        return;
      }
    }
    java.util.Arrays.fill(subtask.blocked, false);
    snapshot(subtask);
  }

  private void snapshot(Subtask subtask) {
    if (running != null) {
      running.newest.putAll(subtask.order.remembered());
      running.folded.putAll(subtask.folded);
    }
    subtask.hasSnapshot = true;
  }

  private void snapshotUnaligned(int to) {
    Subtask subtask = subtasks.get(to);
    snapshot(subtask);
    for (int reader = 0; reader < readers; reader++) {
      ArrayDeque<Item> channel = channels.get(reader).get(to);
      boolean hasArrived = hasBarrier(channel);
      subtask.records[reader] = !hasArrived;
      for (Item item : List.copyOf(channel)) {
        if (item instanceof Item.Barrier) {
          break;
        }
        if (item instanceof Item.Row && running != null) {
          underWay(reader).add(item);
        }
      }
      channel.removeIf(i -> i instanceof Item.Barrier);
    }
  }

  private void arrive(Subtask subtask, Item.Row row) {
    if (!subtask.order.pass(row.key(), row.timestamp())) {
      return;
    }
    long earlier =
        newestEventTimes.entrySet().stream()
            .filter(e -> e.getKey() < row.range())
            .mapToLong(Map.Entry::getValue)
            .max()
            .orElse(0);
    assertThat(Ticks.watermarkMillis(Turn.tickAfter(subtask.order.reached())))
        .as("watermark in front of %s", row)
        .isLessThanOrEqualTo(earlier);
    Passed before = subtask.folded.put(row.key(), new Passed(row.range(), row.isDelete()));
    if (before != null) {
      assertThat(row.range()).as("range of %s", row).isGreaterThanOrEqualTo(before.range());
      if (row.range() == before.range() && row.isDelete()) {
        assertThat(before.isDelete()).as("no upsert before %s", row).isTrue();
      }
    }
  }

  private void arrive(Subtask subtask, int reader, Item.Mark mark) {
    subtask.marks[reader] = Math.max(subtask.marks[reader], mark.watermark());
    long lowest = Long.MAX_VALUE;
    for (long of : subtask.marks) {
      lowest = Math.min(lowest, of);
    }
    subtask.order.advance(lowest);
  }

  boolean isEmpty() {
    return channels.stream().allMatch(c -> c.stream().allMatch(ArrayDeque::isEmpty));
  }

  /** Range of the newest version of each key that is there. */
  Map<String, Long> folded() {
    Map<String, Long> result = new HashMap<>();
    for (Subtask subtask : subtasks) {
      subtask.folded.forEach(
          (key, passed) -> {
            if (!passed.isDelete()) {
              result.put(key, passed.range());
            }
          });
    }
    return result;
  }

  int remembered() {
    return subtasks.stream().mapToInt(s -> s.order.remembered().size()).sum();
  }
}
