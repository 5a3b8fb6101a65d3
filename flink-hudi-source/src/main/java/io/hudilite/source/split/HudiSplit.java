package io.hudilite.source.split;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.scan.ScanSplit;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The scan of one file group, its place in the order of the read, and how much of it is done.
 *
 * @param splitId unique among all splits of a job, also over restarts
 * @param turn when its rows come; looked at in staged reads only
 * @param progress what was emitted already
 */
public record HudiSplit(String splitId, Stage stage, ScanSplit scan, Turn turn, Progress progress)
    implements SourceSplit {

  /**
   * @param rowsDone rows from the beginning that were emitted already and are skipped by the next
   *     reader
   * @param watermarkMillis the watermark that these rows made; {@link Long#MIN_VALUE} if none
   */
  public record Progress(long rowsDone, long watermarkMillis) {
    public static final Progress NONE = new Progress(0, Long.MIN_VALUE);

    public Progress {
      if (rowsDone < 0) {
        throw new IllegalArgumentException("Rows done is " + rowsDone);
      }
    }
  }

  public HudiSplit {
    requireNonNull(splitId, "splitId");
    requireNonNull(stage, "stage");
    requireNonNull(scan, "scan");
    requireNonNull(turn, "turn");
    requireNonNull(progress, "progress");
  }

  /**
   * A split of which nothing is read yet, the {@code number}-th of its stage.
   *
   * @param mayRace whether keys of it may be in other splits of the stage too
   */
  public static HudiSplit of(Stage stage, int number, ScanSplit scan, boolean mayRace) {
    return new HudiSplit(
        stage + "-" + number, stage, scan, new Turn(Ticks.NONE, mayRace), Progress.NONE);
  }

  /** The same for splits of which no other has the same keys. */
  public static HudiSplit of(Stage stage, int number, ScanSplit scan) {
    return of(stage, number, scan, false);
  }

  public FileGroupId fileGroupId() {
    return scan.groupId();
  }

  public long sizeBytes() {
    return scan.totalBytes();
  }

  public long rowsDone() {
    return progress.rowsDone();
  }

  public HudiSplit withRowsDone(long newRowsDone) {
    return withProgress(new Progress(newRowsDone, progress.watermarkMillis()));
  }

  public HudiSplit withProgress(Progress newProgress) {
    return new HudiSplit(splitId, stage, scan, turn, newProgress);
  }

  public HudiSplit withTick(long tick) {
    return tick == turn.tick()
        ? this
        : new HudiSplit(splitId, stage, scan, new Turn(tick, turn.mayRace()), progress);
  }
}
