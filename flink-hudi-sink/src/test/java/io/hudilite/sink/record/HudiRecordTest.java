package io.hudilite.sink.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.key.OrderingValue;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

class HudiRecordTest {
  @Test
  void partsComeBackAlsoThroughTheSerializer() throws IOException {
    HudiRecord record = Records.upsert("kä1", "a/b", 42, "body");
    DataOutputSerializer out = new DataOutputSerializer(16);
    HudiRecordSerializer serializer = new HudiRecordSerializer("t", RowType.of(new IntType()));
    serializer.serialize(record, out);
    HudiRecord read = serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
    assertThat(read.recordKey()).isEqualTo("kä1");
    assertThat(read.partitionPath()).isEqualTo("a/b");
    assertThat(read.ordering()).isEqualTo(OrderingValue.ofLong(42));
    assertThat(new String(read.slice(read.bodyOffset(), read.bodyLength()), StandardCharsets.UTF_8))
        .isEqualTo("body");
    assertThat(read.isDelete()).isFalse();
  }

  @Test
  void rowsOfOtherColumnsAreNotRead() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(16);
    new HudiRecordSerializer("/t", RowType.of(new FloatType()))
        .serialize(Records.upsert("k", "p", 1, "body"), out);
    for (RowType other :
        List.of(
            RowType.of(new DoubleType()),
            RowType.of(new FloatType(false)),
            RowType.of(new FloatType(), new IntType()))) {
      assertThatThrownBy(
              () ->
                  new HudiRecordSerializer("/t", other)
                      .deserialize(new DataInputDeserializer(out.getCopyOfBuffer())))
          .isInstanceOf(SuppressRestartsException.class)
          .hasRootCauseInstanceOf(HudiTableException.class)
          .hasStackTraceContaining("'/t'");
    }
  }

  @Test
  void fileIdsOfAllFormsAreCarried() {
    for (String id : new String[] {FileId.of(UUID.randomUUID()).value(), "f0", "00000001-x-0"}) {
      HudiRecord record = Records.upsert("k", "p", 1, "body");
      record.assign(new GroupAddress(new FileGroupId("p", new FileId(id))), true);
      assertThat(record.fileId().value()).isEqualTo(id);
      assertThat(record.bodyLength()).isEqualTo(4);
      assertThat(record.isInNewGroup()).isTrue();
      record.assign(Records.group("p", 1), false);
      assertThat(record.isInNewGroup()).isFalse();
      assertThat(record.fileId()).isEqualTo(Records.group("p", 1).id().fileId());
    }
  }

  @Test
  void writersShareFileGroups() {
    int[] groups = new int[4];
    for (int i = 0; i < 4_000; i++) {
      UUID id = UUID.randomUUID();
      groups[HudiRecord.writerOf(id.getMostSignificantBits(), id.getLeastSignificantBits(), 4)]++;
    }
    for (int count : groups) {
      assertThat(count).isBetween(800, 1200);
    }
  }
}
