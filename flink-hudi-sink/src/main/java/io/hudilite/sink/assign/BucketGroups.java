package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.view.FileSystemView;
import io.hudilite.sink.record.GroupAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Looks up the file groups of the buckets of one partition after the other. Each partition is
 * listed once, when its first row comes. Not safe for use by several threads.
 */
final class BucketGroups {
  /** Base files whose keys are compared with their bucket. */
  private static final int SAMPLED_FILES = 2;

  private static final int MOST_BUCKETS = 1 << 16;
  private static final RowType KEY_ONLY =
      RowType.of(
          new VarCharType[] {new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {MetaColumns.RECORD_KEY});

  private final Storage storage;
  private final PartitionHashes hashes;
  private final BucketSettings.Groups wanted;

  /** Null as long as there is no table. */
  @Nullable private HudiTable table;

  BucketGroups(
      Storage storage,
      PartitionHashes hashes,
      BucketSettings.Groups wanted,
      @Nullable HudiTable table) {
    this.storage = requireNonNull(storage, "storage");
    this.hashes = requireNonNull(hashes, "hashes");
    this.wanted = requireNonNull(wanted, "wanted");
    this.table = table;
  }

  /**
   * The groups of a partition.
   *
   * @param address by bucket
   * @param hasFiles by bucket: whether the group may have files, committed or not
   */
  record Partition(GroupAddress[] address, boolean[] hasFiles) {}

  /**
   * @throws HudiTableException if the table has another number of buckets, or is not in buckets
   */
  Partition load(String partitionPath) throws IOException {
    BucketHash hash = hashes.of(partitionPath);
    GroupAddress[] address = new GroupAddress[hash.buckets()];
    Set<FileId> present = new HashSet<>();
    Set<FileId> taken = Set.of();
    if (table != null) {
      table = table.refresh();
      FileSystemView view = table.view();
      List<FileSlice> slices = view.latestSlices(partitionPath);
      Set<FileId> live = new HashSet<>();
      if (wanted == BucketSettings.Groups.NEW) {
        slices.forEach(slice -> live.add(slice.groupId().fileId()));
        slices = List.of();
      }
      check(partitionPath, slices, hash);
      for (FileSlice slice : slices) {
        int bucket = BucketHash.bucketOf(slice.groupId().fileId()).orElseThrow();
        if (address[bucket] != null) {
          throw new HudiTableException(
              ("Bucket %d of partition '%s' of the table at '%s' has two file groups, %s and %s, so"
                      + " that a key may be there twice. Rewrite the partition with Hudi, or with"
                      + " INSERT OVERWRITE.")
                  .formatted(
                      bucket,
                      partitionPath,
                      storage.location(),
                      address[bucket].id().fileId(),
                      slice.groupId().fileId()));
        }
        address[bucket] = new GroupAddress(slice.groupId());
      }
      for (StoredFile file : storage.list(partitionPath)) {
        BaseFileName.parse(file.name()).ifPresent(name -> present.add(name.fileId()));
        LogFileName.parse(file.name()).ifPresent(name -> present.add(name.fileId()));
      }
      taken = live;
    }
    boolean[] hasFiles = new boolean[hash.buckets()];
    for (int bucket = 0; bucket < address.length; bucket++) {
      if (address[bucket] == null) {
        address[bucket] = newGroup(partitionPath, bucket, taken);
      }
      hasFiles[bucket] = present.contains(address[bucket].id().fileId());
    }
    return new Partition(address, hasFiles);
  }

  private GroupAddress newGroup(String partitionPath, int bucket, Set<FileId> taken)
      throws IOException {
    for (int generation = 0; ; generation++) {
      FileGroupId id =
          new FileGroupId(partitionPath, BucketHash.fileId(partitionPath, bucket, generation));
      if (!taken.contains(id.fileId()) && (table == null || !table.view().isReplaced(id))) {
        return new GroupAddress(id);
      }
    }
  }

  private void check(String partitionPath, List<FileSlice> slices, BucketHash hash)
      throws IOException {
    int most = -1;
    for (FileSlice slice : slices) {
      OptionalInt bucket = BucketHash.bucketOf(slice.groupId().fileId());
      if (bucket.isEmpty()) {
        throw new HudiTableException(
            ("Partition '%s' of the table at '%s' is not in buckets: it has the file group %s. Set"
                    + " 'index.type' to FLINK_STATE, or write to a new path.")
                .formatted(partitionPath, storage.location(), slice.groupId().fileId()));
      }
      most = Math.max(most, bucket.getAsInt());
    }
    List<Sample> samples = samples(slices);
    if (most >= hash.buckets() || !fits(samples, hash)) {
      int found = numberOf(samples, most, hash);
      throw new HudiTableException(
          ("The table at '%s' has %s buckets in partition '%s', but"
                  + " 'hoodie.bucket.index.num.buckets' is %d. Set it to the number of the table;"
                  + " for another number, read the table into a new one.")
              .formatted(
                  storage.location(),
                  found > 0 ? String.valueOf(found) : "another number of",
                  partitionPath,
                  hash.buckets()));
    }
  }

  /** A key and the bucket that it is in. */
  private record Sample(byte[] key, int bucket) {}

  private List<Sample> samples(List<FileSlice> slices) throws IOException {
    List<Sample> samples = new ArrayList<>();
    int files = 0;
    for (FileSlice slice : slices) {
      if (slice.baseFile().isPresent() && files < SAMPLED_FILES) {
        files++;
        BaseFile file = slice.baseFile().get();
        int bucket = BucketHash.bucketOf(slice.groupId().fileId()).orElseThrow();
        try (BaseFileReader reader =
            BaseFileReader.open(storage, file.path(), file.lengthBytes(), KEY_ONLY)) {
          reader.minRecordKey().ifPresent(key -> samples.add(sample(key, bucket)));
          reader.maxRecordKey().ifPresent(key -> samples.add(sample(key, bucket)));
        }
      }
    }
    return samples;
  }

  private static Sample sample(String key, int bucket) {
    return new Sample(key.getBytes(StandardCharsets.UTF_8), bucket);
  }

  private static boolean fits(List<Sample> samples, BucketHash hash) {
    return samples.stream().allMatch(s -> hash.bucketOf(s.key(), 0, s.key().length) == s.bucket());
  }

  /** The smallest number of buckets that explains what is there, 0 if none does. */
  private static int numberOf(List<Sample> samples, int most, BucketHash hash) {
    for (int buckets = most + 1; buckets <= MOST_BUCKETS; buckets++) {
      if (fits(samples, hash.withBuckets(buckets))) {
        return buckets;
      }
    }
    return 0;
  }
}
