package io.hudilite.source.split;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.scan.ScanSplit;
import org.apache.flink.api.connector.source.SourceSplit;

/**
 * The scan of one file group, its place in the order of the read, and how much of it is done.
 *
 * @param splitId unique among all splits of a job, also over restarts
 * @param rowsDone rows from the beginning that were emitted already and are skipped by the next
 *     reader
 */
public record HudiSplit(String splitId, Stage stage, ScanSplit scan, long rowsDone)
    implements SourceSplit {

  public HudiSplit {
    requireNonNull(splitId, "splitId");
    requireNonNull(stage, "stage");
    requireNonNull(scan, "scan");
    if (rowsDone < 0) {
      throw new IllegalArgumentException("Rows done is " + rowsDone);
    }
  }

  /** A split of which nothing is read yet, the {@code number}-th of its stage. */
  public static HudiSplit of(Stage stage, int number, ScanSplit scan) {
    return new HudiSplit(stage + "-" + number, stage, scan, 0);
  }

  public FileGroupId fileGroupId() {
    return scan.groupId();
  }

  public long sizeBytes() {
    return scan.totalBytes();
  }

  public HudiSplit withRowsDone(long newRowsDone) {
    return new HudiSplit(splitId, stage, scan, newRowsDone);
  }
}
