package io.hudilite.sink.record;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.sink.config.IndexScope;
import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** Records by hand, for tests. */
public final class Records {
  private Records() {}

  public static HudiRecord upsert(String key, String partition, long ordering, String body) {
    return make((byte) 0, key, partition, ordering, body);
  }

  /** With the key's hash in the given scope. */
  static HudiRecord upsert(
      String key, String partition, long ordering, String body, IndexScope scope) {
    HudiRecord record = upsert(key, partition, ordering, body);
    if (scope == IndexScope.PARTITION) {
      byte[] path = partition.getBytes(StandardCharsets.UTF_8);
      HudiRecord.setInt(
          record.bytes(),
          HudiRecord.KEY_HASH_AT,
          RecordKey.continueHash(31 * record.keyHash(), path, 0, path.length));
    }
    return record;
  }

  public static HudiRecord delete(String key, String partition, long ordering) {
    return make(HudiRecord.FLAG_DELETE, key, partition, ordering, "");
  }

  public static GroupAddress group(String partition, int number) {
    return new GroupAddress(
        new FileGroupId(partition, FileId.of(new UUID(number * 7L, number * 13L))));
  }

  private static HudiRecord make(
      byte flags, String key, String partition, long ordering, String body) {
    byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
    HudiRecord head =
        HudiRecord.delete(
            keyBytes,
            RecordKey.hashOf(keyBytes, 0, keyBytes.length),
            partition.getBytes(StandardCharsets.UTF_8),
            OrderingCodec.toBytes(OrderingValue.ofLong(ordering)));
    byte[] bodyBytes = body.getBytes(StandardCharsets.UTF_8);
    byte[] all = java.util.Arrays.copyOf(head.bytes(), head.bytes().length + bodyBytes.length);
    System.arraycopy(bodyBytes, 0, all, head.bytes().length, bodyBytes.length);
    all[0] = flags;
    return new HudiRecord(all);
  }
}
