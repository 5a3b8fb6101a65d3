package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

final class ScanSplitSerializerTest {
  private static final FileGroupId GROUP = new FileGroupId("dt=köln/a b", new FileId("f-0"));

  @Property(tries = 200)
  void splitsComeBackEqual(@ForAll long seed) throws IOException {
    Random random = new Random(seed);
    List<LogFile> logs = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      logs.add(
          new LogFile(
              GROUP, new LogFileName(GROUP.fileId(), time(random), i, "1-2-3"), random.nextLong()));
    }
    BaseFile base = random.nextBoolean() ? null : base(random);
    FileSlice slice = new FileSlice(GROUP, time(random), base, logs);
    LogBlockFilter blocks =
        random.nextBoolean()
            ? LogBlockFilter.ALL
            : new LogBlockFilter(time(random), Set.of(time(random)));
    ScanSplit split =
        random.nextBoolean()
            ? random.nextBoolean()
                ? new ScanSplit.Snapshot(slice, blocks)
                : new ScanSplit.Removed(slice, blocks)
            : new ScanSplit.Changes(
                slice,
                blocks,
                Set.of(time(random)),
                ChangePhase.values()[random.nextInt(3)],
                random.nextBoolean() ? null : base(random));

    byte[] bytes = ScanSplitSerializer.serialize(split);

    assertThat(ScanSplitSerializer.deserialize(ScanSplitSerializer.VERSION, bytes))
        .isEqualTo(split);
  }

  @Test
  void partsOfAFileComeBackEqualAndMakeItUp() throws IOException {
    FileSlice slice =
        new FileSlice(GROUP, time(new Random(1)), base(new Random(1), 1_001), List.of());
    ScanSplit whole = new ScanSplit.Snapshot(slice, LogBlockFilter.ALL);
    List<ScanSplit> parts = new SplitCutter(100).cut(List.of(whole));

    assertThat(parts).hasSize(11);
    long end = 0;
    for (ScanSplit part : parts) {
      assertThat(
              ScanSplitSerializer.deserialize(
                  ScanSplitSerializer.VERSION, ScanSplitSerializer.serialize(part)))
          .isEqualTo(part);
      assertThat(((ScanSplit.Snapshot) part).part().start()).isEqualTo(end);
      end = ((ScanSplit.Snapshot) part).part().end();
    }
    assertThat(end).isGreaterThan(1_001);
    assertThat(parts.stream().mapToLong(ScanSplit::totalBytes).sum()).isEqualTo(1_001);
    assertThat(new SplitCutter(1_001).cut(List.of(whole))).containsExactly(whole);
    FileSlice merged =
        new FileSlice(
            GROUP,
            time(new Random(1)),
            base(new Random(1), 1_001),
            List.of(
                new LogFile(
                    GROUP, new LogFileName(GROUP.fileId(), time(new Random(2)), 1, "1-2-3"), 5)));
    ScanSplit withLogs = new ScanSplit.Snapshot(merged, LogBlockFilter.ALL);
    assertThat(new SplitCutter(100).cut(List.of(withLogs))).containsExactly(withLogs);
  }

  @Test
  void bytesOfVersionOneStayReadable() throws IOException {
    // Written by the first version of this class: must be read for ever.
    String hex =
        "0100047074683d0003662d300011"
            + "3230323630313031303030303030303130"
            + "0000000000000000000000000001"
            + "0022"
            + "2e662d305f32303236303130313030303030303031302e6c6f672e315f302d302d30"
            + "000000000000002a"
            + "0011"
            + "3939393939393939393939393939393939"
            + "00000000";
    FileGroupId group = new FileGroupId("pth=", new FileId("f-0"));
    InstantTime instant = new InstantTime("20260101000000010");
    ScanSplit expected =
        new ScanSplit.Snapshot(
            new FileSlice(
                group,
                instant,
                null,
                List.of(
                    new LogFile(group, new LogFileName(group.fileId(), instant, 1, "0-0-0"), 42))),
            LogBlockFilter.ALL);
    assertThat(HexFormat.of().formatHex(ScanSplitSerializer.serialize(expected))).isEqualTo(hex);

    assertThat(ScanSplitSerializer.deserialize(1, HexFormat.of().parseHex(hex)))
        .isEqualTo(expected);
  }

  @Test
  void unknownVersionsAndDamagedBytesAreRefused() {
    assertThatThrownBy(() -> ScanSplitSerializer.deserialize(99, new byte[10]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("99");
    assertThatThrownBy(() -> ScanSplitSerializer.deserialize(1, new byte[10]))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> ScanSplitSerializer.deserialize(1, new byte[0]))
        .isInstanceOf(IOException.class);
  }

  private static BaseFile base(Random random) {
    return base(random, random.nextLong());
  }

  private static BaseFile base(Random random, long length) {
    return new BaseFile(GROUP, new BaseFileName(GROUP.fileId(), "0-1-2", time(random)), length);
  }

  private static InstantTime time(Random random) {
    return new InstantTime("202601010000%05d".formatted(random.nextInt(100_000)));
  }
}
