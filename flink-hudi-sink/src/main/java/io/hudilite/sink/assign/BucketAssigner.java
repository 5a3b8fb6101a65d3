package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.clustering.ClusteringWatch;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.sink.config.WriteOperation;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operator {@code bucket_assigner}: gives each record the file group of its key, see {@link
 * Assignment}. Its state: the place of each key; the file groups that these name; and which
 * instants of the table they cover, so that a start reads from the table what is missing and
 * nothing else.
 */
public final class BucketAssigner extends AbstractStreamOperator<HudiRecord>
    implements OneInputStreamOperator<HudiRecord, HudiRecord> {
  private static final long serialVersionUID = 1L;

  /** Not the inherited one, which counts as Flink's own in log settings. */
  private static final Logger OWN_LOG = LoggerFactory.getLogger(BucketAssigner.class);

  private final AssignSettings settings;

  private transient ListState<String> groupState;
  private transient ListState<String> coverageState;
  private transient GroupDictionary groups;

  /** Groups that every subtask has got from the state, so that only one must give them back. */
  private transient int restoredGroups;

  private transient IndexCoverage coverage;

  /** Whether the index has no key before it is filled from the table. */
  private transient boolean startsEmpty;

  private transient FileGroupAllocator allocator;
  private transient Assignment assignment;

  /** Null if late rows fill nothing. */
  @Nullable private transient FilledColumns filled;

  private transient RecordIndex index;

  /** Numbers of groups of the state that the table does not have any more. */
  private transient Set<Long> gone;

  /** Null if the index forgets nothing. */
  @Nullable private transient ForgottenKeys forgotten;

  /** Null if no clustering is followed. */
  @Nullable private transient ClusteringFollower follower;

  private transient AssignMetrics assignMetrics;
  private transient int subtask;
  private transient int subtasks;

  /** The record at hand, whose stream element is used again. */
  @Nullable private transient StreamRecord<HudiRecord> current;

  public BucketAssigner(AssignSettings settings) {
    this.settings = requireNonNull(settings, "settings");
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    subtask = task.getIndexOfThisSubtask();
    subtasks = task.getNumberOfParallelSubtasks();
    groups = new GroupDictionary();
    coverage = IndexCoverage.NOTHING;
    startsEmpty = !context.isRestored() || settings.index() == AssignSettings.Index.HEAP;
    if (settings.index() == AssignSettings.Index.FLINK_STATE) {
      groupState =
          context
              .getOperatorStateStore()
              .getUnionListState(
                  new ListStateDescriptor<>("hudi-file-groups", StringSerializer.INSTANCE));
      coverageState =
          context
              .getOperatorStateStore()
              .getUnionListState(
                  new ListStateDescriptor<>("hudi-index-coverage", StringSerializer.INSTANCE));
      for (String group : groupState.get()) {
        groups.addText(group);
      }
      restoredGroups = groups.size();
      List<IndexCoverage> parts = new ArrayList<>();
      for (String part : coverageState.get()) {
        parts.add(IndexCoverage.parse(part));
      }
      coverage = IndexCoverage.common(parts);
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    Storage storage = Storages.of(settings.path());
    if (settings.start() == AssignStart.WITH_LEASE) {
      WriterLease.awaitReady(storage, settings.run(), Thread::sleep);
    }
    IndexBootstrap table = IndexBootstrap.open(storage);
    allocator =
        new AssignerShare(settings.path(), settings.config(), settings.writers(), subtask, subtasks)
            .allocator(table);
    assignMetrics = new AssignMetrics(getMetricGroup(), groups);
    forgetIfRewound(table);
    index = newIndex();
    boolean forgets =
        settings.index() == AssignSettings.Index.FLINK_STATE
            && !settings.config().indexTtl().isZero();
    forgotten =
        forgets
            ? new ForgottenKeys(
                storage,
                settings.run(),
                settings.config().indexScope(),
                settings.config().indexTtl(),
                InstantSource.system(),
                table.table())
            : null;
    gone = new HashSet<>();
    for (GroupAddress group : groups.all()) {
      if (table.isGone(group.id())) {
        gone.add(group.number());
      }
    }
    filled = FilledColumns.of(settings.table().config(), settings.rowType());
    assignment = newAssignment(index, forgotten);
    fillIndex(table);
    if (settings.followsClusterings()) {
      follower =
          new ClusteringFollower(
              storage,
              new ClusteringWatch(storage, settings.table().config(), table.end()),
              settings.config().indexScope(),
              groups,
              index,
              this::isOwn,
              allocator);
      assignment.follow(follower);
    }
  }

  private Assignment newAssignment(RecordIndex places, @Nullable ForgottenKeys beside) {
    return new Assignment(
        places,
        groups,
        gone,
        allocator,
        RecordMerger.of(settings.table().config()),
        settings.config().indexScope(),
        settings.config().operation() == WriteOperation.INSERT_DISTINCT
            ? Assignment.Rows.FIRST
            : Assignment.Rows.BY_MERGE_RULE,
        filled,
        beside,
        this::emit);
  }

  /** What the index says may be of writes that were taken back; it is filled anew. */
  private void forgetIfRewound(IndexBootstrap table) throws Exception {
    boolean isRewound;
    try {
      isRewound = table.isRewoundSince(coverage);
    } catch (HudiTableException e) {
      throw new SuppressRestartsException(e);
    }
    if (isRewound && settings.index() == AssignSettings.Index.FLINK_STATE) {
      OWN_LOG.info(
          "Writes to '{}' were taken back since the state was made; the index is read anew",
          settings.path());
      getKeyedStateBackend()
          .applyToAllKeys(
              VoidNamespace.INSTANCE,
              VoidNamespaceSerializer.INSTANCE,
              indexDescriptor(),
              (key, state) -> state.clear());
      coverage = IndexCoverage.NOTHING;
      startsEmpty = true;
    }
  }

  private void fillIndex(IndexBootstrap table) throws IOException {
    long begin = System.nanoTime();
    IndexFiller filler =
        new IndexFiller(
            index,
            assignment,
            groups,
            settings.config().indexScope(),
            key -> isOwn(key.hashCode()),
            startsEmpty);
    int instants =
        table.scan(
            coverage,
            filled == null ? IndexBootstrap.Reading.KEYS : IndexBootstrap.Reading.ALL_COLUMNS,
            filler::of);
    if (instants > 0) {
      OWN_LOG.info(
          "Read {} versions of keys of {} instants of '{}' into the index of subtask {} in {} ms",
          filler.versions(),
          instants,
          settings.path(),
          subtask,
          (System.nanoTime() - begin) / 1_000_000);
    }
    coverage = coverage.filledUpTo(table.end());
  }

  private boolean isOwn(int keyHash) {
    return switch (settings.index()) {
      case FLINK_STATE -> {
        int most = getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks();
        int keyGroup = KeyGroupRangeAssignment.computeKeyGroupForKeyHash(keyHash, most);
        yield KeyGroupRangeAssignment.computeOperatorIndexForKeyGroup(most, subtasks, keyGroup)
            == subtask;
      }
      case HEAP -> assigner(keyHash, subtasks) == subtask;
    };
  }

  /** Number of the assigner of a key where Flink does not partition by key groups. */
  public static int assigner(int keyHash, int assigners) {
    return Math.floorMod((keyHash * 0x9E3779B9) >>> 7, assigners);
  }

  private RecordIndex newIndex() {
    return switch (settings.index()) {
      case FLINK_STATE ->
          new FlinkStateIndex(getRuntimeContext().getState(indexDescriptor()), this::setCurrentKey);
      case HEAP -> new HeapIndex();
    };
  }

  private ValueStateDescriptor<KeyLocation> indexDescriptor() {
    ValueStateDescriptor<KeyLocation> descriptor =
        new ValueStateDescriptor<>("hudi-index", KeyLocationSerializer.INSTANCE);
    if (!settings.config().indexTtl().isZero()) {
      descriptor.enableTimeToLive(StateTtlConfig.newBuilder(settings.config().indexTtl()).build());
    }
    return descriptor;
  }

  /** Nothing: the index selects the key itself, without making an object of it. */
  @Override
  @SuppressWarnings("rawtypes") // as Flink declares it
  public void setKeyContextElement1(StreamRecord element) {}

  @Override
  public void processElement(StreamRecord<HudiRecord> element) throws Exception {
    current = element;
    HudiRecord record = element.getValue();
    if (!settings.config().operation().takesChanges()) {
      AppendAssigner.requireNoDelete(record, settings.path(), "insert");
    }
    assignMetrics.count(assignment.assign(record));
    if (forgotten != null && forgotten.isFull()) {
      resolve();
    }
    if (follower != null && follower.isFull()) {
      follow();
    }
  }

  private void follow() throws Exception {
    if (follower != null) {
      follower.follow(
          record -> {
            current = new StreamRecord<>(record);
            assignMetrics.count(assignment.assign(record));
          });
    }
  }

  /** Looks up what rows wait for. */
  private void resolve() throws Exception {
    if (forgotten == null) {
      return;
    }
    forgotten.resolve(
        (found, keys) ->
            new IndexFiller(
                found,
                newAssignment(found, null),
                groups,
                settings.config().indexScope(),
                keys::contains,
                false),
        record -> {
          current = new StreamRecord<>(record);
          assignMetrics.count(assignment.assign(record));
        });
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    follow();
    resolve();
  }

  @Override
  public void finish() throws Exception {
    follow();
    resolve();
    super.finish();
  }

  private void emit(HudiRecord record) {
    if (record == current.getValue()) {
      output.collect(current);
    } else {
      output.collect(new StreamRecord<>(record));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    allocator.onBarrier();
    if (forgotten != null) {
      forgotten.onBarrier(context.getCheckpointId());
    }
    if (settings.index() == AssignSettings.Index.FLINK_STATE) {
      coverage = coverage.atCheckpoint(settings.run(), context.getCheckpointId());
      coverageState.update(List.of(coverage.toText()));
      groupState.update(groups.toTexts(subtask == 0 ? 0 : restoredGroups));
    }
  }
}
