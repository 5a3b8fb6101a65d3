package io.hudilite.sink.assign;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.storage.Storage;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.flink.table.types.logical.RowType;

/** What the assigners of a job do with a record, without Flink. */
public abstract class HistoryAssigner {
  private static long ids;

  /** The records that are to be written for one that arrives. */
  public abstract List<HudiRecord> assign(HudiRecord record) throws Exception;

  /** A barrier passes. */
  public abstract void onBarrier();

  private static FileId newId() {
    return FileId.of(new UUID(0x5EED, ids++));
  }

  /** The state index, filled from the table. */
  public static HistoryAssigner withIndex(
      Storage storage, TableConfig config, RowType rowType, IndexScope scope, boolean isDistinct)
      throws IOException {
    FilledColumns filled = FilledColumns.of(config, rowType);
    IndexBootstrap table = IndexBootstrap.open(storage);
    HeapIndex index = new HeapIndex();
    GroupDictionary groups = new GroupDictionary();
    FileGroupAllocator allocator =
        new FileGroupAllocator(
            1 << 20,
            1,
            partition -> {
              try {
                return table.smallGroups(partition, 1 << 20, 3);
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            },
            HistoryAssigner::newId);
    List<HudiRecord> emitted = new ArrayList<>();
    Assignment assignment =
        new Assignment(
            index,
            groups,
            Set.of(),
            allocator,
            RecordMerger.of(config),
            scope,
            isDistinct ? Assignment.Rows.FIRST : Assignment.Rows.BY_MERGE_RULE,
            filled,
            null,
            emitted::add);
    IndexFiller filler = new IndexFiller(index, assignment, groups, scope, key -> true, true);
    table.scan(
        IndexCoverage.NOTHING,
        filled == null ? IndexBootstrap.Reading.KEYS : IndexBootstrap.Reading.ALL_COLUMNS,
        filler::of);
    return new HistoryAssigner() {
      @Override
      public List<HudiRecord> assign(HudiRecord record) throws Exception {
        emitted.clear();
        assignment.assign(record);
        return List.copyOf(emitted);
      }

      @Override
      public void onBarrier() {
        allocator.onBarrier();
      }
    };
  }

  /** Buckets. */
  public static HistoryAssigner inBuckets(Storage storage, TableConfig config, int number)
      throws IOException {
    PartitionHashes hashes =
        new PartitionHashes(
            new BucketSettings(
                config.recordKeyFields(), BucketCounts.of(number), BucketSettings.Groups.EXISTING));
    BucketGroups groups =
        new BucketGroups(
            storage, hashes, BucketSettings.Groups.EXISTING, IndexBootstrap.open(storage).table());
    Map<String, BucketGroups.Partition> partitions = new HashMap<>();
    Set<FileGroupId> fresh = new HashSet<>();
    return new HistoryAssigner() {
      @Override
      public List<HudiRecord> assign(HudiRecord record) throws Exception {
        String path = record.partitionPath();
        BucketGroups.Partition partition = partitions.get(path);
        if (partition == null) {
          partition = groups.load(path);
          partitions.put(path, partition);
        }
        BucketHash hash = hashes.of(record);
        int bucket = hash.bucketOf(record.bytes(), record.keyOffset(), record.keyLength());
        GroupAddress address = partition.address()[bucket];
        if (!partition.hasFiles()[bucket]) {
          partition.hasFiles()[bucket] = true;
          fresh.add(address.id());
        }
        record.assign(address, fresh.contains(address.id()));
        return List.of(record);
      }

      @Override
      public void onBarrier() {
        fresh.clear();
      }
    };
  }

  /** Rows are added. */
  public static HistoryAssigner appending() {
    Map<String, GroupAddress> groups = new HashMap<>();
    return new HistoryAssigner() {
      @Override
      public List<HudiRecord> assign(HudiRecord record) {
        record.assign(
            groups.computeIfAbsent(
                record.partitionPath(), path -> new GroupAddress(new FileGroupId(path, newId()))),
            false);
        return List.of(record);
      }

      @Override
      public void onBarrier() {}
    };
  }
}
