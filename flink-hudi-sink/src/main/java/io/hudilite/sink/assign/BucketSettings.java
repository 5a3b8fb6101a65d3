package io.hudilite.sink.assign;

import io.hudilite.core.key.BucketCounts;
import io.hudilite.sink.record.HudiRecord;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.Partitioner;
import org.apache.flink.api.java.functions.KeySelector;

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
  public Partitioner<Integer> partitioner() {
    return (place, channels) -> Math.floorMod(place, channels);
  }

  /** The number of a bucket among those of all partitions. */
  public KeySelector<HudiRecord, Integer> place() {
    return new Place(this);
  }

  private static final class Place implements KeySelector<HudiRecord, Integer> {
    private static final long serialVersionUID = 1L;

    private final BucketSettings settings;
    private transient PartitionHashes hashes;

    private Place(BucketSettings settings) {
      this.settings = settings;
    }

    @Override
    public Integer getKey(HudiRecord record) {
      if (hashes == null) {
        hashes = new PartitionHashes(settings);
      }
      int partition = record.partitionHash() * 0x9E3779B9;
      return (partition >>> 8)
          + hashes.of(record).bucketOf(record.bytes(), record.keyOffset(), record.keyLength());
    }
  }
}
