package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.clustering.ClusteringWatch;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.config.TableProperties;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;

/**
 * The operator {@code bucket_assigner} of inserts into small files: gives each record a file group
 * of its partition that is not full yet, whatever its key. Has no state: at a start it finds in the
 * table which groups are small.
 */
public final class SmallFileAssigner extends RichMapFunction<HudiRecord, HudiRecord>
    implements CheckpointedFunction {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final TableProperties table;
  private final SinkConfig config;
  private final AssignStart start;
  private final String run;
  private final int writers;
  private final boolean followsClusterings;

  private transient FileGroupAllocator allocator;
  private transient Map<FileGroupId, GroupAddress> groups;

  /** Null if no clustering is followed. */
  @Nullable private transient ClusteringWatch watch;

  /**
   * @param path base path of the table
   * @param start what the assigners wait for
   * @param run id of this job start
   * @param writers parallelism of the writers
   * @param followsClusterings whether the timeline is looked at with each barrier, for clusterings
   *     that take file groups away
   */
  public SmallFileAssigner(
      String path,
      TableProperties table,
      SinkConfig config,
      AssignStart start,
      String run,
      int writers,
      boolean followsClusterings) {
    this.path = requireNonNull(path, "path");
    this.table = requireNonNull(table, "table");
    this.config = requireNonNull(config, "config");
    this.start = requireNonNull(start, "start");
    this.run = requireNonNull(run, "run");
    this.writers = writers;
    this.followsClusterings = followsClusterings;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) {
    // There is none.
  }

  @Override
  public void open(OpenContext context) throws Exception {
    Storage storage = Storages.of(path);
    if (start == AssignStart.WITH_LEASE) {
      WriterLease.awaitReady(storage, run, Thread::sleep);
    }
    IndexBootstrap found = IndexBootstrap.open(storage);
    TaskInfo task = getRuntimeContext().getTaskInfo();
    allocator =
        new AssignerShare(
                path,
                config,
                writers,
                task.getIndexOfThisSubtask(),
                task.getNumberOfParallelSubtasks())
            .allocator(found);
    groups = new HashMap<>();
    watch = followsClusterings ? new ClusteringWatch(storage, table.config(), found.end()) : null;
  }

  @Override
  public HudiRecord map(HudiRecord record) {
    AppendAssigner.requireNoDelete(record, path, "insert");
    FileGroupId id = allocator.allocate(record.partitionPath(), Assignment.baseFileBytes(record));
    record.assign(groups.computeIfAbsent(id, GroupAddress::new), allocator.isNew(id));
    return record;
  }

  /** Rows behind the barrier keep away from groups that a clustering takes, or is to take. */
  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    allocator.onBarrier();
    if (watch != null) {
      ClusteringWatch.Look look = watch.look();
      Set<FileGroupId> taken = new HashSet<>(look.planned());
      look.moved().forEach(moved -> taken.addAll(moved.replaced()));
      allocator.retire(taken);
      groups.keySet().removeAll(taken);
    }
  }
}
