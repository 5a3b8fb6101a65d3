package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.sink.record.GroupAddress;
import io.hudilite.sink.record.HudiRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.runtime.execution.SuppressRestartsException;

/**
 * The operator {@code bucket_assigner} of operations that add rows: gives each record a group that
 * stands for its partition, since the writer makes new file groups itself. Has no state. Being a
 * function, it runs in one chain with what comes before and behind it, where nothing is shuffled.
 */
public final class AppendAssigner extends RichMapFunction<HudiRecord, HudiRecord> {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final String operation;

  private transient Map<String, Known> partitions;
  private transient Known last;

  /**
   * @param path of the table, for messages
   * @param operation the word for it, for messages
   */
  public AppendAssigner(String path, String operation) {
    this.path = requireNonNull(path, "path");
    this.operation = requireNonNull(operation, "operation");
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Known(byte[] path, GroupAddress group) {}

  @Override
  public void open(OpenContext context) {
    partitions = new HashMap<>();
  }

  @Override
  public HudiRecord map(HudiRecord record) {
    requireNoDelete(record, path, operation);
    record.assign(partitionOf(record).group, false);
    return record;
  }

  static void requireNoDelete(HudiRecord record, String path, String operation) {
    if (record.isDelete()) {
      throw new SuppressRestartsException(
          new HudiTableException(
              "A delete of key '%s' came to the table at '%s', but 'write.operation' is %s, which only adds rows. Set it to upsert."
                  .formatted(record.recordKey(), path, operation)));
    }
  }

  private Known partitionOf(HudiRecord record) {
    int from = record.partitionOffset();
    int to = from + record.partitionLength();
    if (last == null || !Arrays.equals(last.path, 0, last.path.length, record.bytes(), from, to)) {
      last =
          partitions.computeIfAbsent(
              record.partitionPath(),
              partition ->
                  new Known(
                      partition.getBytes(StandardCharsets.UTF_8),
                      new GroupAddress(new FileGroupId(partition, FileId.of(UUID.randomUUID())))));
    }
    return last;
  }
}
