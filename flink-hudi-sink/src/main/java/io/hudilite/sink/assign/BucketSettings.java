package io.hudilite.sink.assign;

import io.hudilite.core.key.BucketCounts;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordShuffle;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/**
 * How keys go into buckets.
 *
 * @param fields key columns that are hashed
 * @param counts buckets of each partition
 * @param groups which file groups the buckets get
 */
public record BucketSettings(List<String> fields, BucketCounts counts, Groups groups)
    implements Serializable {

  /** File groups of buckets. */
  public enum Groups {
    /** Those that are there; new ones where there are none. */
    EXISTING,
    /** New ones, which take the place of those that are there. */
    NEW
  }

  public BucketSettings {
    fields = new ArrayList<>(fields); // travels in the job graph
  }

  /** Sends each bucket to one writer, and the buckets of a partition to as many as there are. */
  public RecordShuffle.Channel writer() {
    return new Writer(this);
  }

  private static final class Writer implements RecordShuffle.Channel {
    private static final long serialVersionUID = 1L;

    private final BucketSettings settings;
    private transient PartitionHashes hashes;

    private Writer(BucketSettings settings) {
      this.settings = settings;
    }

    @Override
    public int of(HudiRecord record, int channels) {
      if (hashes == null) {
        hashes = new PartitionHashes(settings);
      }
      int partition = record.partitionHash() * 0x9E3779B9;
      int bucket =
          hashes.of(record).bucketOf(record.bytes(), record.keyOffset(), record.keyLength());
      return Math.floorMod((partition >>> 8) + bucket, channels);
    }
  }
}
