package io.hudilite.core.scan;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RemovedRowsReader;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * The rows of a split, with their row kinds, in the same order each time. Opens its files one after
 * the other, when they are needed. Not safe for use by several threads.
 */
public final class SplitReader implements RowReader {
  private final ReadContext context;
  private final ScanSplit split;
  private final RowType wanted;
  @Nullable private final ColumnCondition condition;
  @Nullable private RowReader current;

  /** 0: nothing opened yet, 1: removed rows, 2: merged slice, 3: done. */
  private int part;

  private SplitReader(
      ReadContext context, ScanSplit split, RowType wanted, @Nullable ColumnCondition condition) {
    this.context = context;
    this.split = split;
    this.wanted = wanted;
    this.condition = condition;
  }

  /**
   * Opens a split; files are opened with the first row.
   *
   * @param wanted the columns to return, by name, in this order and in these types; meta columns
   *     may be among them
   */
  public static SplitReader open(ReadContext context, ScanSplit split, RowType wanted) {
    return open(context, split, wanted, null);
  }

  /**
   * The same without some of the rows for which a condition is not true. It is a hint: others still
   * come.
   *
   * @param condition null for none
   */
  public static SplitReader open(
      ReadContext context, ScanSplit split, RowType wanted, @Nullable ColumnCondition condition) {
    return new SplitReader(context, split, wanted, condition);
  }

  /**
   * The next row, valid until the next call, or null at the end.
   *
   * @throws HudiTableException if a file of the split is gone, which a cleaner does when a reader
   *     is slower than the table's retention
   */
  @Override
  @Nullable
  public RowData next() throws IOException {
    try {
      while (part < 3) {
        RowData row = current == null ? null : current.next();
        if (row != null) {
          if (split instanceof ScanSplit.Removed) {
            row.setRowKind(RowKind.DELETE);
          }
          return row;
        }
        close();
        current = openNextPart();
      }
      return null;
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new HudiTableException(goneMessage(e), e);
    }
  }

  /** Rows of a snapshot that come from a base file alone; errors as those of {@link #next}. */
  @Override
  @Nullable
  public VectorizedColumnBatch nextBatch() throws IOException {
    if (!(split instanceof ScanSplit.Snapshot)) {
      return null;
    }
    try {
      while (current == null && part < 3) {
        current = openNextPart();
      }
      return current == null ? null : current.nextBatch();
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new HudiTableException(goneMessage(e), e);
    }
  }

  /** How many rows {@link #next()} would give; to be called in its stead, once. */
  public long countRows() throws IOException {
    try {
      long count = 0;
      while (part < 3) {
        current = openNextPart();
        count += current instanceof FileSliceReader slice ? slice.countRows() : countOf(current);
        close();
      }
      return count;
    } catch (NoSuchFileException | FileNotFoundException e) {
      throw new HudiTableException(goneMessage(e), e);
    }
  }

  private static long countOf(@Nullable RowReader rows) throws IOException {
    long count = 0;
    while (rows != null && rows.next() != null) {
      count++;
    }
    return count;
  }

  private String goneMessage(IOException missing) throws IOException {
    String of =
        split instanceof ScanSplit.Changes changes
            ? ", which holds changes of instant %s,"
                .formatted(changes.instants().stream().min(InstantTime::compareTo).orElseThrow())
            : "";
    return ("The file '%s' of file group '%s' in partition '%s' of the table at '%s'%s is gone: it"
            + " was cleaned before this reader came to it. %s Let the table keep more versions"
            + " ('clean.retain_commits', in Hudi 'hoodie.cleaner.commits.retained') than"
            + " readers lag behind.")
        .formatted(
            missing.getMessage(),
            split.groupId().fileId(),
            split.groupId().partitionPath(),
            context.storage().location(),
            of,
            EarliestReadable.inWords(HudiTable.open(context.storage())));
  }

  @Nullable
  private RowReader openNextPart() throws IOException {
    part++;
    if (part == 1) {
      return openRemovedRows();
    }
    return part == 2 ? openMergedSlice() : null;
  }

  @Nullable
  private RowReader openRemovedRows() throws IOException {
    if (!(split instanceof ScanSplit.Changes changes) || !changes.phase().wantsDeletes()) {
      return null;
    }
    BaseFile older = changes.replacedBase();
    BaseFile newer = changes.slice().baseFile().orElse(null);
    return older == null || newer == null
        ? null
        : RemovedRowsReader.open(context, older, newer, wanted);
  }

  @Nullable
  private RowReader openMergedSlice() throws IOException {
    if (split instanceof ScanSplit.Changes changes) {
      boolean hasNoneOfThese =
          changes.phase() == ChangePhase.DELETES && changes.slice().logFiles().isEmpty();
      return hasNoneOfThese ? null : openSlice(selection(changes));
    }
    return openSlice(new RowSelection.Live());
  }

  static RowSelection selection(ScanSplit.Changes changes) {
    return new RowSelection.Changes(changes.instants(), changes.phase());
  }

  private RowReader openSlice(RowSelection selection) throws IOException {
    FileSliceReader reader =
        FileSliceReader.open(context, split.slice(), split.blocks(), selection, wanted);
    try {
      if (split instanceof ScanSplit.Snapshot snapshot) {
        reader.keepOnly(snapshot.part());
        if (condition != null) {
          reader.keepOnly(condition);
        }
      }
      return reader;
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
  }

  @Override
  public void close() throws IOException {
    if (current != null) {
      current.close();
      current = null;
    }
  }
}
