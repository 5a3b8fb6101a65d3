package io.hudilite.source.read;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.source.split.HudiSplit;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import javax.annotation.Nullable;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitReader;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsChange;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.RowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one split after the other into batches of rows: of columns where the reader has them, else
 * of binary rows. Fetcher thread, but for {@link #wakeUp}, after which a fetch returns what it has
 * so far.
 */
final class HudiSplitReader implements SplitReader<RowData, HudiSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(HudiSplitReader.class);

  /** Rows handed over at once: enough that the hand-over costs nothing beside them. */
  static final int BATCH_ROWS = 512;

  /** Bytes handed over at once, and a row: some batches wait for the task thread, on the heap. */
  static final int BATCH_BYTES = 1 << 20;

  private final SplitOpener opener;

  /** The rows of a reader are valid until the next one, those of a batch must stay. */
  private final RowPacker packer;

  private final Queue<HudiSplit> splits = new ArrayDeque<>();
  @Nullable private HudiSplit current;
  @Nullable private RowReader rows;

  /** How many rows of the current split are still to be skipped. */
  private long toSkip;

  /** How many rows are still wanted; there is no harm in more. */
  private long left;

  private volatile boolean wokenUp;

  /**
   * @param rowType type of the rows that the opened splits give
   */
  HudiSplitReader(SplitOpener opener, RowType rowType) {
    this(opener, rowType, Long.MAX_VALUE);
  }

  /** The same, done with each split when so many rows are read of all of them. */
  HudiSplitReader(SplitOpener opener, RowType rowType, long limit) {
    this.left = limit;
    this.opener = requireNonNull(opener, "opener");
    this.packer = new RowPacker(rowType, BATCH_ROWS);
  }

  @Override
  public RecordsWithSplitIds<RowData> fetch() throws IOException {
    wokenUp = false;
    if (current == null) {
      current = splits.poll();
      if (current == null) {
        return RowBatch.empty();
      }
      toSkip = current.rowsDone();
    }
    try {
      return fetch(current);
    } catch (HudiTableException e) {
      throw new SuppressRestartsException(e); // the same again would not help
    } catch (IOException e) {
      throw new IOException(
          "Reading %s (split %s, stage %s) failed: %s"
              .formatted(
                  current.scan().slice(), current.splitId(), current.stage(), e.getMessage()),
          e);
    }
  }

  private RowBatch fetch(HudiSplit split) throws IOException {
    if (left <= 0) {
      finish();
      return RowBatch.last(split.splitId(), new RowData[0]);
    }
    if (rows == null) {
      LOG.debug("Reading split {}: {}", split.splitId(), split.scan());
      rows = opener.open(split.scan());
    }
    VectorizedColumnBatch columns = rows.nextBatch();
    if (columns != null) {
      return take(split, columns);
    }
    if (!skip(split, rows)) {
      return RowBatch.of(split.splitId(), new RowData[0]);
    }
    while (!packer.isFull() && left > 0 && packer.bytes() < BATCH_BYTES && !wokenUp) {
      RowData row = rows.next();
      if (row == null) {
        finish();
        return RowBatch.last(split.splitId(), packer.take());
      }
      packer.add(row);
      left--;
    }
    return RowBatch.of(split.splitId(), packer.take());
  }

  /** What is wanted of the columns; they are handed over as they are. */
  private RowBatch take(HudiSplit split, VectorizedColumnBatch columns) {
    int from = (int) Math.min(toSkip, columns.getNumRows());
    int count = (int) Math.min(left, columns.getNumRows() - from);
    toSkip -= from;
    left -= count;
    return RowBatch.of(split.splitId(), columns, from, from + count);
  }

  /** Skips what a former reader emitted; false if it was woken up before the end. */
  private boolean skip(HudiSplit split, RowReader from) throws IOException {
    while (toSkip > 0) {
      if (wokenUp) {
        return false;
      }
      if (from.next() == null) {
        throw new IOException(
            "%d rows were read of it before the restart, but it has only %d now: its files were changed"
                .formatted(split.rowsDone(), split.rowsDone() - toSkip));
      }
      toSkip--;
    }
    return true;
  }

  private void finish() throws IOException {
    RowReader done = rows;
    rows = null;
    current = null;
    if (done != null) {
      done.close();
    }
  }

  @Override
  public void handleSplitsChanges(SplitsChange<HudiSplit> change) {
    if (!(change instanceof SplitsAddition)) {
      throw new UnsupportedOperationException("Splits are only ever added, got " + change);
    }
    splits.addAll(change.splits());
  }

  @Override
  public void wakeUp() {
    wokenUp = true;
  }

  @Override
  public void close() throws IOException {
    splits.clear();
    finish();
  }
}
