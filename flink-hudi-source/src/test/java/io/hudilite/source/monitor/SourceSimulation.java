package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.monitor.NetworkModel.Item;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.ReaderStarted;
import io.hudilite.source.split.ReaderStarted.Held;
import io.hudilite.source.split.SplitsFinished;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.TestSplits;
import io.hudilite.source.split.Turn;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.flink.types.RowKind;

/**
 * A whole source in one thread: the real enumerator, and readers and Flink as models. A seed gives
 * the order of all events: table growth, looks, messages, checkpoints, crashes of single readers,
 * of all readers, and of the job with a restore at another parallelism. Rules of Flink that are
 * modelled: messages from enumerator to a reader and the reader's barrier keep their order; the
 * enumerator's snapshot comes before the readers'; splits assigned after the restored checkpoint
 * come back when a reader fails, but the enumerator itself goes back only with the whole job.
 * Behind the readers of a staged read is a {@link NetworkModel}: what comes out of it must fold to
 * the table.
 */
final class SourceSimulation {
  private static final InstantSource CLOCK = InstantSource.fixed(java.time.Instant.EPOCH);
  private static final int MAX_STEPS = 200_000;

  /** Key of a split that survives renumbering: its stage and group. */
  private record Key(Stage stage, String group) {}

  private record Emission(Key key, long row, int reader) {}

  /** How the table is read. */
  enum Read {
    BOUNDED,
    ONE_READER,
    STAGED
  }

  /** Content of a row; without a key where it does not matter. */
  private record Change(String key, boolean isDelete, long eventTime) {}

  private sealed interface Message {
    record Assign(HudiSplit split) implements Message {}

    record NoMore() implements Message {}

    record Tick(long tick) implements Message {}

    record Barrier(long checkpoint) implements Message {}
  }

  private static final class Reader {
    final Map<String, HudiSplit> splits = new LinkedHashMap<>();
    final ArrayDeque<Message> inbox = new ArrayDeque<>();
    final ArrayDeque<Object> outbox = new ArrayDeque<>();
    boolean alive;
    boolean toldNoMore;
    long newestEventTime = Long.MIN_VALUE;
  }

  private record Checkpoint(
      long id,
      MonitorState enumerator,
      Map<Integer, List<HudiSplit>> readers,
      @Nullable NetworkModel.Snapshot network) {}

  private static final class Request {}

  private final Random random;
  private final boolean bounded;
  private final Read read;
  private final boolean singleReadersFail;
  private final int maxRanges;
  private final List<ScanRange> table = new ArrayList<>();
  private final Map<Key, List<Change>> rowsOf = new HashMap<>();
  private final Map<String, Integer> groupOfKey = new HashMap<>();
  private final Map<String, Long> rangeOfKey = new HashMap<>();
  private final Map<Long, Long> newestEventTimes = new HashMap<>();
  private final NetworkModel network;

  private FakeEnumeratorContext context;
  private SplitMonitor monitor;
  private List<Reader> readers = new ArrayList<>();

  /** Assignments by the checkpoint that holds them first; Long.MAX_VALUE for none yet. */
  private TreeMap<Long, Map<Integer, List<HudiSplit>>> assigned = new TreeMap<>();

  private List<Emission> log = new ArrayList<>();
  private Map<Emission, Long> sealedBy = new HashMap<>();
  private long lastId;
  @Nullable private Checkpoint running;
  @Nullable private Checkpoint completed;
  private boolean singleFailureSeen;
  private boolean quiet;
  private int restores;

  SourceSimulation(long seed, Read read, boolean singleReadersFail) {
    this.random = new Random(seed);
    this.read = read;
    this.bounded = read == Read.BOUNDED;
    this.singleReadersFail = singleReadersFail;
    this.maxRanges = bounded ? 1 : 1 + random.nextInt(6);
    this.network = new NetworkModel(random, random.nextBoolean(), newestEventTimes);
  }

  /** Runs the wild part, then lets everything come to rest, and checks. */
  void run() throws Exception {
    if (bounded) {
      growTable();
    }
    startJob(1 + random.nextInt(4));
    int wild = (read == Read.STAGED ? 3 : 1) * (100 + random.nextInt(600));
    for (int i = 0; i < wild; i++) {
      step();
    }
    quiet = true;
    while (table.size() < maxRanges) {
      growTable();
    }
    for (int i = 0; !isDone(); i++) {
      assertThat(i).as("steps until all is read: it hangs").isLessThan(MAX_STEPS);
      step();
    }
    checkExactlyOnce();
    if (read == Read.STAGED) {
      assertThat(network.folded()).as("folded rows").isEqualTo(rangeOfKey);
      assertThat(network.remembered()).as("keys that are remembered at the end").isZero();
    }
  }

  int restores() {
    return restores;
  }

  private void step() throws Exception {
    if (read == Read.STAGED && random.nextBoolean()) {
      network.step();
      completeCheckpoint();
      return;
    }
    int dice = random.nextInt(1000);
    if (dice < 20) {
      growTable();
    } else if (dice < 120) {
      context.runLook();
    } else if (dice < 220) {
      deliverResult();
    } else if (dice < 600) {
      readerStep(readers.get(random.nextInt(readers.size())));
    } else if (dice < 900) {
      deliverEvent(random.nextInt(readers.size()));
    } else if (dice < 950) {
      startCheckpoint();
    } else if (dice < 980) {
      restartReader(random.nextInt(readers.size()));
    } else if (quiet) {
      return;
    } else if (dice < 986 && singleReadersFail) {
      singleFailureSeen = readers.size() > 1 || singleFailureSeen;
      failReaders(Set.of(random.nextInt(readers.size())));
    } else if (dice < 993) {
      failReaders(everybody());
    } else if (dice < 996) {
      restoreJob();
    }
  }

  private Set<Integer> everybody() {
    Set<Integer> all = new java.util.TreeSet<>();
    for (int i = 0; i < readers.size(); i++) {
      all.add(i);
    }
    return all;
  }

  // --- table

  private void growTable() {
    if (table.size() >= maxRanges) {
      return;
    }
    if (read == Read.STAGED) {
      table.add(keyedRange());
      return;
    }
    long range = table.size();
    InstantTime end = TestSplits.instant(100 + range);
    List<List<ScanSplit>> stages = new ArrayList<>();
    int phases = random.nextInt(3);
    for (int phase = 0; phase < phases; phase++) {
      List<ScanSplit> splits = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int group = 0; group < count; group++) {
        ScanSplit split = TestSplits.changes(group, end, ChangePhase.ALL);
        List<Change> rows = new ArrayList<>();
        for (int row = random.nextInt(4); row > 0; row--) {
          rows.add(new Change("", false, 0));
        }
        rowsOf.put(key(new Stage(range, phase), split), rows);
        splits.add(split);
      }
      stages.add(splits);
    }
    table.add(new ScanRange(end, stages));
  }

  /** Keys are written, moved to other file groups, and deleted. */
  private ScanRange keyedRange() {
    long range = table.size();
    InstantTime end = TestSplits.instant(100 + range);
    Map<Integer, Map<String, Change>> changes = new TreeMap<>();
    boolean moves = false;
    for (int i = random.nextInt(12); i > 0; i--) {
      String key = "k" + random.nextInt(6);
      long eventTime = 1 + random.nextInt(1_000);
      Integer group = groupOfKey.get(key);
      boolean isDelete = group != null && random.nextInt(4) == 0;
      boolean isMove = group != null && !isDelete && random.nextInt(2) == 0;
      if (isDelete || isMove) {
        put(changes, group, new Change(key, true, eventTime));
        // A table that does not say takes each delete for half of a move.
        moves |= isMove || random.nextBoolean();
        groupOfKey.remove(key);
        rangeOfKey.remove(key);
      }
      if (!isDelete) {
        int to = group == null || isMove ? random.nextInt(5) : group;
        moves |= group == null && changes.values().stream().anyMatch(c -> c.containsKey(key));
        put(changes, to, new Change(key, false, eventTime));
        groupOfKey.put(key, to);
        rangeOfKey.put(key, range);
      }
    }
    List<ScanSplit> splits = new ArrayList<>();
    changes.forEach(
        (group, rows) -> {
          ScanSplit split = TestSplits.changes(group, end, ChangePhase.ALL);
          rowsOf.put(key(new Stage(range, 0), split), List.copyOf(rows.values()));
          splits.add(split);
          rows.values().forEach(row -> newestEventTimes.merge(range, row.eventTime(), Math::max));
        });
    return new ScanRange(end, List.of(splits), moves);
  }

  private static void put(Map<Integer, Map<String, Change>> changes, int group, Change change) {
    changes.computeIfAbsent(group, g -> new TreeMap<>()).put(change.key(), change);
  }

  private static Key key(Stage stage, ScanSplit scan) {
    return new Key(stage, scan.groupId().fileId().value());
  }

  private final class FakeTable implements Discovery {
    @Override
    public Found plan(@Nullable InstantTime position) throws IOException {
      if (!quiet && random.nextInt(8) == 0) {
        throw new IOException("storage does not answer");
      }
      Optional<ScanRange> next =
          table.stream()
              .filter(range -> position == null || range.end().isAfter(position))
              .findFirst();
      return found(next);
    }

    @Override
    public Found look() {
      return found(Optional.empty());
    }

    private Found found(Optional<ScanRange> range) {
      return new Found(range, table.stream().map(ScanRange::end).toList(), ZoneOffset.UTC);
    }
  }

  // --- job

  private void startJob(int parallelism) throws Exception {
    context = new FakeEnumeratorContext(parallelism, this::assign, this::noMore);
    context.onTick((reader, e) -> readers.get(reader).inbox.add(new Message.Tick(e.tick())));
    assigned = new TreeMap<>();
    running = null;
    readers = new ArrayList<>();
    for (int i = 0; i < parallelism; i++) {
      readers.add(new Reader());
    }
    ReadMode mode =
        bounded
            ? new ReadMode.Snapshot()
            : new ReadMode.Continuous(new StartingPosition.Earliest(), null, Duration.ofSeconds(1));
    RowOrder order = read == Read.STAGED ? RowOrder.STAGED : RowOrder.ONE_READER;
    network.start(parallelism, completed == null ? null : completed.network());
    if (completed == null) {
      monitor = SplitMonitor.fresh(context, mode, order, "table", new FakeTable(), CLOCK);
    } else {
      restores++;
      MonitorState state = completed.enumerator();
      monitor = SplitMonitor.restored(context, mode, order, "table", new FakeTable(), state, CLOCK);
      List<HudiSplit> all = completed.readers().values().stream().flatMap(List::stream).toList();
      Map<Integer, List<HudiSplit>> spread = new HashMap<>();
      for (HudiSplit split : all) {
        int reader = random.nextInt(parallelism);
        spread.computeIfAbsent(reader, r -> new ArrayList<>()).add(split);
      }
      completed = new Checkpoint(completed.id(), state, spread, completed.network());
    }
    monitor.start();
    for (int i = 0; i < parallelism; i++) {
      restartReader(i);
    }
  }

  private void restoreJob() throws Exception {
    rollBack(everybody());
    startJob(1 + random.nextInt(4));
  }

  private void failReaders(Set<Integer> failed) throws Exception {
    abortCheckpoint();
    for (int index : failed) {
      while (!readers.get(index).outbox.isEmpty() && random.nextBoolean()) {
        deliverEvent(index);
      }
      readers.get(index).alive = false;
      context.unregister(index);
    }
    rollBack(failed);
    if (read == Read.STAGED) { // everybody is connected, so everybody fails
      network.start(readers.size(), completed == null ? null : completed.network());
    }
    long restored = completed == null ? -1 : completed.id();
    for (int index : failed) {
      Reader reader = readers.get(index);
      reader.splits.clear();
      reader.inbox.clear();
      reader.toldNoMore = false;
      // Word that arrives late: from the life that is over.
      List<Object> late = new ArrayList<>(reader.outbox);
      reader.outbox.clear();
      List<HudiSplit> back = new ArrayList<>();
      assigned
          .tailMap(restored, false)
          .values()
          .forEach(
              byReader -> {
                List<HudiSplit> splits = byReader.remove(index);
                if (splits != null) {
                  back.addAll(splits);
                }
              });
      monitor.addSplitsBack(back, index);
      for (Object event : late) {
        if (event instanceof SplitsFinished finished && random.nextInt(4) == 0) {
          monitor.handleSourceEvent(index, finished);
        }
      }
    }
  }

  private void abortCheckpoint() {
    running = null;
    readers.forEach(r -> r.inbox.removeIf(m -> m instanceof Message.Barrier));
    network.abortCheckpoint();
  }

  private void restartReader(int index) throws Exception {
    Reader reader = readers.get(index);
    if (reader.alive) {
      return;
    }
    reader.alive = true;
    reader.newestEventTime = Long.MIN_VALUE;
    Map<String, Held> restored = new HashMap<>();
    if (completed != null) {
      for (HudiSplit split : completed.readers().getOrDefault(index, List.of())) {
        reader.splits.put(split.splitId(), split);
        restored.put(split.splitId(), Held.of(split));
      }
    }
    context.register(index);
    monitor.addReader(index);
    reader.outbox.add(new ReaderStarted(restored));
    if (restored.isEmpty()) {
      reader.outbox.add(new Request());
    }
  }

  private void deliverResult() throws Exception {
    try {
      context.deliverResult();
    } catch (RuntimeException e) {
      if (!(e.getCause() instanceof IOException)) {
        throw e;
      }
      restoreJob(); // the looks failed too often
    }
  }

  private void assign(int reader, HudiSplit split) {
    assigned
        .computeIfAbsent(Long.MAX_VALUE, id -> new HashMap<>())
        .computeIfAbsent(reader, r -> new ArrayList<>())
        .add(split);
    readers.get(reader).inbox.add(new Message.Assign(split));
  }

  private void noMore(int reader) {
    assertThat(bounded).as("only a bounded read ends").isTrue();
    readers.get(reader).inbox.add(new Message.NoMore());
  }

  private void deliverEvent(int index) throws Exception {
    Reader reader = readers.get(index);
    Object event = reader.outbox.poll();
    if (event == null) {
      return;
    }
    int times = random.nextInt(10) == 0 && !(event instanceof ReaderStarted) ? 2 : 1;
    for (int i = 0; i < times; i++) {
      if (event instanceof Request) {
        monitor.handleSplitRequest(index, null);
      } else if (event instanceof ReaderStarted started) {
        monitor.handleSourceEvent(index, started);
      } else {
        monitor.handleSourceEvent(index, (SplitsFinished) event);
      }
    }
  }

  private void readerStep(Reader reader) throws Exception {
    if (!reader.alive) {
      return;
    }
    if (!reader.inbox.isEmpty() && random.nextBoolean()) {
      Message message = reader.inbox.poll();
      if (message instanceof Message.Assign assign) {
        reader.splits.put(assign.split().splitId(), assign.split());
      } else if (message instanceof Message.Barrier barrier) {
        snapshot(readers.indexOf(reader), barrier.checkpoint());
      } else if (message instanceof Message.Tick tick) {
        network.push(readers.indexOf(reader), new Item.Mark(Turn.watermarkBefore(tick.tick())));
      } else {
        reader.toldNoMore = true;
      }
    } else if (!reader.splits.isEmpty()) {
      read(reader);
    }
  }

  private void read(Reader reader) {
    HudiSplit split = reader.splits.values().iterator().next();
    Key key = key(split.stage(), split.scan());
    if (split.rowsDone() < rowsOf.get(key).size()) {
      checkOrder(key);
      log.add(new Emission(key, split.rowsDone(), readers.indexOf(reader)));
      send(reader, split, rowsOf.get(key).get((int) split.rowsDone()));
      long watermark = Math.max(split.progress().watermarkMillis(), reader.newestEventTime);
      reader.splits.put(
          split.splitId(),
          split.withProgress(new HudiSplit.Progress(split.rowsDone() + 1, watermark)));
      return;
    }
    reader.splits.remove(split.splitId());
    long watermark = Math.max(split.progress().watermarkMillis(), reader.newestEventTime);
    reader.outbox.add(new SplitsFinished(Set.of(split.splitId()), watermark));
    if (reader.splits.isEmpty()) {
      reader.outbox.add(new Request());
    }
  }

  private void send(Reader reader, HudiSplit split, Change row) {
    if (read != Read.STAGED) {
      return;
    }
    reader.newestEventTime = Math.max(reader.newestEventTime, row.eventTime());
    RowKind kind = row.isDelete() ? RowKind.DELETE : RowKind.UPDATE_AFTER;
    network.push(
        readers.indexOf(reader),
        new Item.Row(
            row.key(),
            row.isDelete(),
            split.stage().range(),
            row.eventTime(),
            split.turn().timestamp(kind)));
  }

  // --- checkpoints

  private void startCheckpoint() {
    if (running != null || readers.stream().anyMatch(r -> !r.alive)) {
      return;
    }
    long id = ++lastId;
    MonitorState state = monitor.snapshotState(id);
    Map<Integer, List<HudiSplit>> uncovered = assigned.remove(Long.MAX_VALUE);
    if (uncovered != null) {
      assigned.put(id, uncovered);
    }
    running = new Checkpoint(id, state, new HashMap<>(), null);
    network.startCheckpoint();
    readers.forEach(reader -> reader.inbox.add(new Message.Barrier(id)));
  }

  private void snapshot(int index, long checkpoint) throws Exception {
    Checkpoint now = running;
    if (now == null || now.id() != checkpoint) {
      return;
    }
    now.readers().put(index, List.copyOf(readers.get(index).splits.values()));
    for (Emission emission : log) {
      if (emission.reader() == index) {
        sealedBy.putIfAbsent(emission, checkpoint);
      }
    }
    if (read == Read.STAGED) {
      network.barrier(index);
    }
    completeCheckpoint();
  }

  private void completeCheckpoint() throws Exception {
    Checkpoint now = running;
    if (now == null || now.readers().size() < readers.size()) {
      return;
    }
    NetworkModel.Snapshot ofNetwork = null;
    if (read == Read.STAGED) {
      ofNetwork = network.finished();
      if (ofNetwork == null) {
        return;
      }
    }
    completed = new Checkpoint(now.id(), now.enumerator(), now.readers(), ofNetwork);
    running = null;
    assigned.headMap(now.id(), true).clear();
    checkState(now);
    monitor.notifyCheckpointComplete(now.id());
  }

  /** What these readers emitted after the completed checkpoint never happened. */
  private void rollBack(Set<Integer> failed) {
    long restored = completed == null ? -1 : completed.id();
    List<Emission> kept = new ArrayList<>();
    for (Emission emission : log) {
      if (!failed.contains(emission.reader())
          || sealedBy.getOrDefault(emission, Long.MAX_VALUE) <= restored) {
        kept.add(emission);
      } else {
        sealedBy.remove(emission);
      }
    }
    log = kept;
  }

  // --- rules

  /** A row is emitted when all rows of earlier stages are. */
  private void checkOrder(Key next) {
    if (singleFailureSeen) {
      return; // readers that did not fail are ahead of the one that did
    }
    Map<Key, Long> emitted =
        log.stream().collect(Collectors.groupingBy(Emission::key, Collectors.counting()));
    rowsOf.forEach(
        (key, rows) -> {
          if (key.stage().compareTo(next.stage()) < 0) {
            assertThat(emitted.getOrDefault(key, 0L))
                .as("rows of %s when %s is read", key, next)
                .isEqualTo(rows.size());
          }
        });
  }

  /** In a checkpoint each row is in one place: pending, in a reader's state, or emitted. */
  private void checkState(Checkpoint checkpoint) {
    MonitorState state = checkpoint.enumerator();
    Map<Key, Long> places = new HashMap<>();
    state.pending().forEach(split -> addPlaces(places, split));
    checkpoint.readers().values().forEach(list -> list.forEach(s -> addPlaces(places, s)));
    for (Emission emission : log) {
      if (sealedBy.getOrDefault(emission, Long.MAX_VALUE) <= checkpoint.id()) {
        places.merge(emission.key(), 1L, Long::sum);
      }
    }
    rowsOf.forEach(
        (key, rows) -> {
          long expected = key.stage().range() < state.nextRange() ? rows.size() : 0;
          assertThat(places.getOrDefault(key, 0L))
              .as("rows of %s in checkpoint %d", key, checkpoint.id())
              .isEqualTo(expected);
        });
  }

  private void addPlaces(Map<Key, Long> places, HudiSplit split) {
    Key key = key(split.stage(), split.scan());
    places.merge(key, rowsOf.get(key).size() - split.rowsDone(), Long::sum);
  }

  private boolean isDone() {
    long all = rowsOf.values().stream().mapToLong(List::size).sum();
    return log.size() >= all
        && (!bounded || readers.stream().allMatch(r -> r.toldNoMore))
        && readers.stream().allMatch(r -> r.splits.isEmpty())
        && (read != Read.STAGED || isCalm());
  }

  private boolean isCalm() {
    return readers.stream().allMatch(r -> r.alive && r.inbox.isEmpty() && r.outbox.isEmpty())
        && monitor.snapshotState(Long.MAX_VALUE).nextRange() == maxRanges
        && network.isEmpty();
  }

  private void checkExactlyOnce() {
    Map<Key, List<Long>> emitted = new HashMap<>();
    log.forEach(e -> emitted.computeIfAbsent(e.key(), k -> new ArrayList<>()).add(e.row()));
    rowsOf.forEach(
        (key, rows) -> {
          List<Long> expected = new ArrayList<>();
          for (long row = 0; row < rows.size(); row++) {
            expected.add(row);
          }
          assertThat(emitted.getOrDefault(key, List.of()))
              .as("rows of %s", key)
              .isEqualTo(expected);
        });
  }
}
