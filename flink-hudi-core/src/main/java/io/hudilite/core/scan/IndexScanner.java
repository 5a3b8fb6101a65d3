package io.hudilite.core.scan;

import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.Collection;
import java.util.List;

/**
 * Reads where the keys of a table are, without the rows: a writer fills its index so. Plans give
 * one split per file group, to be spread over tasks; reading a split needs no timeline.
 */
public final class IndexScanner {

  /** Takes one key. */
  @FunctionalInterface
  public interface Visitor {
    void visit(IndexEntry entry) throws IOException;
  }

  private final ReadContext context;

  public IndexScanner(ReadContext context) {
    this.context = context;
  }

  /** Splits for all keys of the table, deleted ones too as far as their deletes are in logs. */
  public static List<ScanSplit> planAll(HudiTable table) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Splits for the keys that some instants wrote: only files of these instants are read.
   *
   * @param instants requested times of completed instants
   */
  public static List<ScanSplit> planInstants(HudiTable table, Collection<InstantTime> instants)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Visits each key of a split once, with its newest version. */
  public void scan(ScanSplit split, Visitor visitor) throws IOException {
    throw new UnsupportedOperationException(context.toString());
  }
}
