package io.hudilite.sink.compact;

import io.hudilite.core.clustering.ClusteringTask;
import io.hudilite.core.clustering.ClusteringTaskSerializer;
import io.hudilite.core.compact.CompactionTask;
import io.hudilite.core.compact.CompactionTaskSerializer;
import io.hudilite.core.compact.ServiceTask;
import java.io.IOException;
import java.util.Arrays;

/** Bytes of a task: one that tells its kind, then its own. */
final class ServiceTaskCodec {
  private static final byte COMPACTION = 1;
  private static final byte CLUSTERING = 2;

  private ServiceTaskCodec() {}

  static byte[] encode(ServiceTask task) {
    if (task instanceof CompactionTask compaction) {
      return withKind(COMPACTION, CompactionTaskSerializer.serialize(compaction));
    }
    if (task instanceof ClusteringTask clustering) {
      return withKind(CLUSTERING, ClusteringTaskSerializer.serialize(clustering));
    }
    throw new IllegalArgumentException("Unknown kind of task: " + task);
  }

  private static byte[] withKind(byte kind, byte[] own) {
    byte[] bytes = new byte[1 + own.length];
    bytes[0] = kind;
    System.arraycopy(own, 0, bytes, 1, own.length);
    return bytes;
  }

  static ServiceTask decode(byte[] bytes) throws IOException {
    byte[] own = Arrays.copyOfRange(bytes, 1, bytes.length);
    return switch (bytes[0]) {
      case COMPACTION -> CompactionTaskSerializer.deserialize(own);
      case CLUSTERING -> ClusteringTaskSerializer.deserialize(own);
      default -> throw new IOException("Unknown kind of task: " + bytes[0]);
    };
  }
}
