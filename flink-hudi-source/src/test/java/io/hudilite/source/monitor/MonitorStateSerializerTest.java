package io.hudilite.source.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.merge.ChangePhase;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.KeptBytes;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.TestSplits;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorStateSerializerTest {
  private static final MonitorStateSerializer SERIALIZER = MonitorStateSerializer.INSTANCE;

  static final MonitorState KEPT =
      new MonitorState(
          TestSplits.instant(77),
          13,
          List.of(
              HudiSplit.of(new Stage(11, 1), 0, TestSplits.snapshot(1, 1_000), true),
              HudiSplit.of(
                      new Stage(12, 0),
                      1,
                      TestSplits.changes(2, TestSplits.instant(70), ChangePhase.DELETES),
                      true)
                  .withRowsDone(5)),
          MonitorState.Clock.START);

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 1_000})
  void statesComeBackAsTheyWere(int splits) throws IOException {
    MonitorState state =
        new MonitorState(
            TestSplits.instant(splits),
            splits,
            IntStream.range(0, splits)
                .mapToObj(n -> HudiSplit.of(new Stage(n, n % 2), n, TestSplits.snapshot(n, n)))
                .toList(),
            new MonitorState.Clock(splits + 2L, splits));
    assertThat(SERIALIZER.deserialize(2, SERIALIZER.serialize(state))).isEqualTo(state);
  }

  @Test
  void readThatHasNotBegunHasNoPosition() throws IOException {
    MonitorState state = SERIALIZER.deserialize(2, SERIALIZER.serialize(MonitorState.INITIAL));
    assertThat(state).isEqualTo(MonitorState.INITIAL);
    assertThat(state.position()).isNull();
  }

  @Test
  void bytesOfVersion1AreStillRead() throws IOException {
    assertThat(SERIALIZER.deserialize(1, KeptBytes.read("monitor-v1"))).isEqualTo(KEPT);
  }

  @Test
  void cutBytesAreAnErrorOfTheirOwn() throws IOException {
    byte[] whole = SERIALIZER.serialize(KEPT);
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> SERIALIZER.deserialize(2, cut)).isInstanceOf(IOException.class);
    }
  }

  @Test
  void unknownVersionNamesBoth() {
    assertThatThrownBy(() -> SERIALIZER.deserialize(9, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9");
  }
}
