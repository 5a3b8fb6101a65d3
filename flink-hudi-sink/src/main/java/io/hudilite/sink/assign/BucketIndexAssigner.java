package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The operator {@code bucket_assigner} of the bucket index: a hash of the key gives each record its
 * file group. Has no state. It runs where the writer of its records does.
 */
public final class BucketIndexAssigner extends AbstractStreamOperator<HudiRecord>
    implements OneInputStreamOperator<HudiRecord, HudiRecord> {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String run;
  private final IndexScope scope;
  private final BucketSettings buckets;
  private final AssignStart start;

  private transient PartitionHashes hashes;
  private transient BucketGroups groups;
  private transient Map<String, Known> partitions;
  private transient Known last;

  /**
   * @param path base path
   * @param run id of this job start
   * @param scope in which keys are unique
   * @param start what the assigners wait for
   */
  public BucketIndexAssigner(
      String path, String run, IndexScope scope, BucketSettings buckets, AssignStart start) {
    this.path = requireNonNull(path, "path");
    this.run = requireNonNull(run, "run");
    this.scope = requireNonNull(scope, "scope");
    this.buckets = requireNonNull(buckets, "buckets");
    this.start = requireNonNull(start, "start");
  }

  /** A partition that rows came for. */
  private static final class Known {
    private final byte[] path;
    private final BucketGroups.Partition groups;
    private final BucketHash hash;

    /** Buckets whose groups have no files from before, and got a row since the last barrier. */
    private final boolean[] isNew;

    private Known(byte[] path, BucketGroups.Partition groups, BucketHash hash) {
      this.path = path;
      this.groups = groups;
      this.hash = hash;
      this.isNew = new boolean[groups.hasFiles().length];
    }
  }

  @Override
  public void open() throws Exception {
    super.open();
    hashes = new PartitionHashes(buckets);
    Storage storage = Storages.of(path);
    if (start == AssignStart.WITH_LEASE) {
      WriterLease.awaitReady(storage, run, Thread::sleep);
    }
    groups =
        new BucketGroups(storage, hashes, buckets.groups(), IndexBootstrap.open(storage).table());
    partitions = new HashMap<>();
  }

  @Override
  public void processElement(StreamRecord<HudiRecord> element) throws Exception {
    HudiRecord record = element.getValue();
    Known partition = partitionOf(record);
    int bucket = partition.hash.bucketOf(record.bytes(), record.keyOffset(), record.keyLength());
    if (record.isDelete() && scope == IndexScope.PARTITION) {
      record.markMoved(); // maybe: the key may be in another partition now
    }
    if (!partition.groups.hasFiles()[bucket]) {
      partition.groups.hasFiles()[bucket] = true;
      partition.isNew[bucket] = true;
    }
    record.assign(partition.groups.address()[bucket], partition.isNew[bucket]);
    output.collect(element);
  }

  private Known partitionOf(HudiRecord record) throws IOException {
    int from = record.partitionOffset();
    int to = from + record.partitionLength();
    if (last == null || !Arrays.equals(last.path, 0, last.path.length, record.bytes(), from, to)) {
      String path = record.partitionPath();
      last = partitions.get(path);
      if (last == null) {
        try {
          last =
              new Known(path.getBytes(StandardCharsets.UTF_8), groups.load(path), hashes.of(path));
        } catch (HudiTableException e) {
          throw new SuppressRestartsException(e);
        }
        partitions.put(path, last);
      }
    }
    return last;
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    partitions.values().forEach(partition -> Arrays.fill(partition.isNew, false));
  }
}
