package io.hudilite.core.scan;

import io.hudilite.core.base.ByteRange;
import io.hudilite.core.file.BaseFile;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts large base files without log files into parts of about equal size, so that several readers
 * share one. No file is opened: a reader of a part takes the row groups whose middle lies in it.
 * Pure.
 *
 * @param maxBytes of a part; at least 1
 */
public record SplitCutter(long maxBytes) {
  public SplitCutter {
    if (maxBytes < 1) {
      throw new IllegalArgumentException("Parts of " + maxBytes + " bytes");
    }
  }

  /** The same rows, in splits of which none but those that are merged is much larger. */
  public List<ScanSplit> cut(List<ScanSplit> splits) {
    List<ScanSplit> cut = new ArrayList<>(splits.size());
    for (ScanSplit split : splits) {
      BaseFile base = split.slice().baseFile().orElse(null);
      if (split instanceof ScanSplit.Snapshot whole
          && base != null
          && whole.part().equals(ByteRange.ALL)
          && whole.slice().logFiles().isEmpty()
          && base.lengthBytes() > maxBytes) {
        addParts(whole, base.lengthBytes(), cut);
      } else {
        cut.add(split);
      }
    }
    return cut;
  }

  private void addParts(ScanSplit.Snapshot whole, long length, List<ScanSplit> to) {
    long count = (length + maxBytes - 1) / maxBytes;
    long start = 0;
    for (long i = 1; i <= count; i++) {
      // In this way there is no overflow, and the last part ends with the file or behind it.
      long end = i == count ? Long.MAX_VALUE : length / count * i;
      to.add(new ScanSplit.Snapshot(whole.slice(), whole.blocks(), new ByteRange(start, end)));
      start = end;
    }
  }
}
