package io.hudilite.source.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.scan.ScanSplit;
import java.io.IOException;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

class HudiSplitSerializerTest {
  private static final HudiSplitSerializer SERIALIZER = HudiSplitSerializer.INSTANCE;

  /** What version 1 wrote when it was new; see {@link KeptBytes}. */
  static final HudiSplit KEPT =
      new HudiSplit(
          "12.1-3",
          new Stage(12, 1),
          TestSplits.changes(7, TestSplits.instant(5), ChangePhase.UPSERTS),
          new Turn(Ticks.NONE, true),
          new HudiSplit.Progress(4_711, Long.MIN_VALUE));

  @Property(tries = 200)
  void splitsComeBackAsTheyWere(
      @ForAll @LongRange(min = 0) long range,
      @ForAll @IntRange(min = 0, max = 3) int phase,
      @ForAll @IntRange(min = 0, max = 100) int group,
      @ForAll @LongRange(min = 0) long rowsDone,
      @ForAll ChangePhase kind)
      throws IOException {
    ScanSplit scan =
        group % 2 == 0
            ? TestSplits.snapshot(group, 1 + rowsDone / 2)
            : TestSplits.changes(group, TestSplits.instant(group), kind);
    HudiSplit split =
        HudiSplit.of(new Stage(range, phase), group, scan, group % 3 == 0)
            .withTick(group * 2L)
            .withProgress(new HudiSplit.Progress(rowsDone, range));
    assertThat(SERIALIZER.deserialize(2, SERIALIZER.serialize(split))).isEqualTo(split);
  }

  @Test
  void bytesOfVersion1AreStillRead() throws IOException {
    assertThat(SERIALIZER.deserialize(1, KeptBytes.read("split-v1"))).isEqualTo(KEPT);
  }

  @Test
  void unknownVersionNamesBoth() {
    assertThatThrownBy(() -> SERIALIZER.deserialize(9, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("9")
        .hasMessageContaining("2");
  }

  @Property(tries = 100)
  void cutBytesAreAnErrorOfTheirOwn(@ForAll @IntRange(min = 0, max = 99) int percent)
      throws IOException {
    byte[] whole = SERIALIZER.serialize(KEPT);
    byte[] cut = Arrays.copyOf(whole, whole.length * percent / 100);
    assertThatThrownBy(() -> SERIALIZER.deserialize(2, cut)).isInstanceOf(IOException.class);
  }
}
