package io.hudilite.source.read;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.source.read.SplitQueue.OpenSplit;
import io.hudilite.source.split.HudiSplit;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
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

  private final SplitQueue splits = new SplitQueue();

  /** How many rows are still wanted; there is no harm in more. */
  private long left;

  private final Object wakeUps = new Object();
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
    OpenSplit current = splits.next();
    try {
      if (current == null) {
        if (!splits.isEmpty()) {
          awaitWakeUp();
        }
        return RowBatch.empty();
      }
      return fetch(current);
    } catch (HudiTableException e) {
      throw new SuppressRestartsException(e); // the same again would not help
    } catch (IOException e) {
      if (current == null) {
        throw e;
      }
      HudiSplit split = current.split();
      throw new IOException(
          "Reading %s (split %s, stage %s) failed: %s"
              .formatted(split.scan().slice(), split.splitId(), split.stage(), e.getMessage()),
          e);
    } finally {
      wokenUp = false;
    }
  }

  /** All splits are paused. Whoever resumes or adds some wakes up this thread first. */
  private void awaitWakeUp() throws IOException {
    synchronized (wakeUps) {
      while (!wokenUp) {
        try {
          wakeUps.wait();
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          throw new InterruptedIOException("Interrupted while all splits were paused");
        }
      }
    }
  }

  private RowBatch fetch(OpenSplit current) throws IOException {
    String splitId = current.split().splitId();
    if (left <= 0) {
      splits.finish(current);
      return RowBatch.last(splitId, new RowData[0]);
    }
    RowReader rows = current.rows(opener);
    VectorizedColumnBatch columns = rows.nextBatch();
    if (columns != null) {
      return take(current, columns);
    }
    if (!skip(current, rows)) {
      return RowBatch.of(splitId, new RowData[0]);
    }
    while (!packer.isFull() && left > 0 && packer.bytes() < BATCH_BYTES && !wokenUp) {
      RowData row = rows.next();
      if (row == null) {
        splits.finish(current);
        return RowBatch.last(splitId, packer.take());
      }
      packer.add(row);
      left--;
    }
    return RowBatch.of(splitId, packer.take());
  }

  /** What is wanted of the columns; they are handed over as they are. */
  private RowBatch take(OpenSplit current, VectorizedColumnBatch columns) {
    int from = (int) Math.min(current.toSkip(), columns.getNumRows());
    int count = (int) Math.min(left, columns.getNumRows() - from);
    current.skipped(from);
    left -= count;
    return RowBatch.of(current.split().splitId(), columns, from, from + count);
  }

  /** Skips what a former reader emitted; false if it was woken up before the end. */
  private boolean skip(OpenSplit current, RowReader from) throws IOException {
    while (current.toSkip() > 0) {
      if (wokenUp) {
        return false;
      }
      if (from.next() == null) {
        long done = current.split().rowsDone();
        throw new IOException(
            "%d rows were read of it before the restart, but it has only %d now: its files were changed"
                .formatted(done, done - current.toSkip()));
      }
      current.skipped(1);
    }
    return true;
  }

  @Override
  public void handleSplitsChanges(SplitsChange<HudiSplit> change) {
    if (!(change instanceof SplitsAddition)) {
      throw new UnsupportedOperationException("Splits are only ever added, got " + change);
    }
    for (HudiSplit split : change.splits()) {
      LOG.debug("Got split {}: {}", split.splitId(), split.scan());
      splits.add(split);
    }
  }

  /** Paused splits stay as they are, and others are read in the meantime. */
  @Override
  public void pauseOrResumeSplits(Collection<HudiSplit> toPause, Collection<HudiSplit> toResume) {
    splits.pause(toPause);
    splits.resume(toResume);
  }

  @Override
  public void wakeUp() {
    synchronized (wakeUps) {
      wokenUp = true;
      wakeUps.notifyAll();
    }
  }

  @Override
  public void close() throws IOException {
    splits.close();
  }
}
