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
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The operator {@code bucket_assigner} of operations that add rows: gives each record a group that
 * stands for its partition, since the writer makes new file groups itself. Has no state.
 */
public final class AppendAssigner extends AbstractStreamOperator<HudiRecord>
    implements OneInputStreamOperator<HudiRecord, HudiRecord> {
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
  public void open() throws Exception {
    super.open();
    partitions = new HashMap<>();
  }

  @Override
  public void processElement(StreamRecord<HudiRecord> element) {
    HudiRecord record = element.getValue();
    if (record.isDelete()) {
      throw new SuppressRestartsException(
          new HudiTableException(
              "A delete of key '%s' came to the table at '%s', but 'write.operation' is %s, which only adds rows. Set it to upsert."
                  .formatted(record.recordKey(), path, operation)));
    }
    record.assign(partitionOf(record).group, false);
    output.collect(element);
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
