package io.hudilite.source.split;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.timeline.InstantTime;
import java.util.List;
import java.util.Set;

/** Splits from numbers, without files. */
public final class TestSplits {
  private TestSplits() {}

  public static InstantTime instant(long n) {
    return new InstantTime("%017d".formatted(20260101000000000L + n));
  }

  public static FileGroupId group(int n) {
    return new FileGroupId("p" + n % 2, new FileId("group-" + n));
  }

  /** The base file of a group, of so many bytes. */
  public static ScanSplit snapshot(int group, long bytes) {
    FileGroupId id = group(group);
    BaseFile base = new BaseFile(id, new BaseFileName(id.fileId(), "0-0-0", instant(1)), bytes);
    return new ScanSplit.Snapshot(
        new FileSlice(id, instant(1), base, List.of()), LogBlockFilter.ALL);
  }

  /** A log file of a group that an instant wrote. */
  public static ScanSplit changes(int group, InstantTime instant, ChangePhase phase) {
    FileGroupId id = group(group);
    LogFile log = new LogFile(id, new LogFileName(id.fileId(), instant, 1, "0-0-0"), 100);
    return new ScanSplit.Changes(
        new FileSlice(id, instant(1), null, List.of(log)),
        LogBlockFilter.ALL,
        Set.of(instant),
        phase,
        null);
  }
}
