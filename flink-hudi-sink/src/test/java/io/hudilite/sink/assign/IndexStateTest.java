package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;

class IndexStateTest {
  private static final InstantTime EARLY = new InstantTime("20260101000000000");
  private static final InstantTime LATE = new InstantTime("20260102000000000");

  @Test
  void locationsComeBack() throws IOException {
    for (OrderingValue ordering :
        List.of(
            OrderingValue.NONE,
            OrderingValue.ofInt(0),
            OrderingValue.ofLong(-5),
            OrderingValue.ofDecimal(new BigDecimal("1.50")))) {
      for (boolean isDelete : new boolean[] {true, false}) {
        KeyLocation location = new KeyLocation(77, ordering, isDelete);
        location.setFilled(isDelete ? null : new byte[] {5, -1});
        DataOutputSerializer out = new DataOutputSerializer(16);
        KeyLocationSerializer.INSTANCE.serialize(location, out);
        DataOutputSerializer copied = new DataOutputSerializer(16);
        KeyLocationSerializer.INSTANCE.copy(
            new DataInputDeserializer(out.getCopyOfBuffer()), copied);
        assertThat(
                KeyLocationSerializer.INSTANCE.deserialize(
                    new DataInputDeserializer(copied.getCopyOfBuffer())))
            .isEqualTo(location);
      }
    }
  }

  /** In RocksDB an entry is key group, key, namespace and value, and eight bytes of its own. */
  @Test
  void stateOfAKeyTakesLessThan40BytesBesideTheKey() throws IOException {
    DataOutputSerializer out = new DataOutputSerializer(64);
    KeyLocationSerializer.INSTANCE.serialize(
        new KeyLocation(Long.MIN_VALUE, OrderingValue.ofLong(Long.MIN_VALUE), true), out);
    int value = out.length();
    int keyLengthByte = 1;
    int keyGroup = 2;
    int namespace = 1;
    int sequenceNumber = 8;
    assertThat(value).isEqualTo(17);
    assertThat(value + keyLengthByte + keyGroup + namespace + sequenceNumber).isEqualTo(29);
  }

  @Test
  void coverageKnowsOwnCommitsByRunAndOthersByTime() {
    IndexCoverage coverage =
        IndexCoverage.parse(
            IndexCoverage.NOTHING
                .filledUpTo(EARLY)
                .atCheckpoint("a", 7)
                .atCheckpoint("b", 2)
                .toText());
    assertThat(coverage.contains(EARLY, Optional.empty(), OptionalLong.empty())).isTrue();
    assertThat(coverage.contains(LATE, Optional.empty(), OptionalLong.empty())).isFalse();
    assertThat(coverage.contains(LATE, Optional.of("a"), OptionalLong.of(7))).isTrue();
    assertThat(coverage.contains(LATE, Optional.of("a"), OptionalLong.of(8))).isFalse();
    assertThat(coverage.contains(LATE, Optional.of("c"), OptionalLong.of(1))).isFalse();
  }

  @Test
  void severalTasksCoverWhatAllCover() {
    IndexCoverage one = IndexCoverage.NOTHING.filledUpTo(LATE).atCheckpoint("a", 7);
    IndexCoverage two = IndexCoverage.NOTHING.filledUpTo(EARLY).atCheckpoint("a", 6);
    assertThat(IndexCoverage.common(List.of(one, two)))
        .isEqualTo(IndexCoverage.NOTHING.filledUpTo(EARLY).atCheckpoint("a", 6));
    assertThat(IndexCoverage.common(List.of())).isEqualTo(IndexCoverage.NOTHING);
  }

  @Test
  void plainStateOnTheHeapHoldsObjectsAndWrappedStateIsTold() throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(
            new Configuration().set(StateBackendOptions.STATE_BACKEND, "hashmap"));
    env.setParallelism(1);
    List<String> found = new ArrayList<>();
    try (CloseableIterator<String> results =
        env.fromSequence(1, 1)
            .keyBy(number -> number)
            .map(new StateProbe())
            .returns(Types.STRING)
            .executeAndCollect()) {
      results.forEachRemaining(found::add);
    }
    assertThat(found).containsExactly("true false");
  }

  /** Tells {@link FlinkStateIndex#holdsObjects} of plain state and of one that expires. */
  private static final class StateProbe extends RichMapFunction<Long, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String map(Long number) throws Exception {
      ValueStateDescriptor<KeyLocation> plain =
          new ValueStateDescriptor<>("plain", KeyLocationSerializer.INSTANCE);
      ValueStateDescriptor<KeyLocation> expiring =
          new ValueStateDescriptor<>("expiring", KeyLocationSerializer.INSTANCE);
      expiring.enableTimeToLive(StateTtlConfig.newBuilder(Duration.ofHours(1)).build());
      return FlinkStateIndex.holdsObjects(getRuntimeContext().getState(plain))
          + " "
          + FlinkStateIndex.holdsObjects(getRuntimeContext().getState(expiring));
    }
  }
}
