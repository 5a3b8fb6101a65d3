package io.hudilite.source.read;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.scan.ScanSplit;
import java.io.IOException;

/** Opens the rows of a split, in the same order each time. Fetcher thread. */
@FunctionalInterface
interface SplitOpener {
  RowReader open(ScanSplit split) throws IOException;
}
