package io.hudilite.sink.assign;

import io.hudilite.core.key.BucketHash;
import io.hudilite.sink.record.HudiRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The hash of the bucket index for each partition, as partitions may have different numbers of
 * buckets. Makes no objects for rows of one partition after the other. Not safe for use by several
 * threads.
 */
final class PartitionHashes {
  private final BucketSettings settings;
  private final BucketHash uniform;
  private final Map<String, Known> known = new HashMap<>();
  private Known last = new Known(new byte[0], null);

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(byte[] path, BucketHash hash) {}

  PartitionHashes(BucketSettings settings) {
    this.settings = settings;
    this.uniform = new BucketHash(settings.fields(), settings.counts().others());
  }

  BucketHash of(HudiRecord record) {
    if (settings.counts().isUniform()) {
      return uniform;
    }
    int from = record.partitionOffset();
    int to = from + record.partitionLength();
    if (last.hash == null
        || !Arrays.equals(last.path, 0, last.path.length, record.bytes(), from, to)) {
      last = known.computeIfAbsent(record.partitionPath(), this::load);
    }
    return last.hash;
  }

  BucketHash of(String partitionPath) {
    return uniform.withBuckets(settings.counts().of(partitionPath));
  }

  private Known load(String partitionPath) {
    return new Known(partitionPath.getBytes(StandardCharsets.UTF_8), of(partitionPath));
  }
}
