package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.merge.SliceKeyReader;
import io.hudilite.core.merge.Version;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;

/**
 * Reads where the keys of a table are, without the rows: a writer fills its index so. Plans give
 * one split per file group, to be spread over tasks; reading a split needs no timeline.
 */
public final class IndexScanner {
  private static final RowType KEY_AND_TIME =
      RowType.of(
          new VarCharType[] {
            new VarCharType(VarCharType.MAX_LENGTH), new VarCharType(VarCharType.MAX_LENGTH)
          },
          new String[] {MetaColumns.RECORD_KEY, MetaColumns.COMMIT_TIME});

  /** Takes one key. */
  @FunctionalInterface
  public interface Visitor {
    void visit(IndexEntry entry) throws IOException;
  }

  private final ReadContext context;

  /** Whether rows are read with their keys. */
  private final boolean readsRows;

  public IndexScanner(ReadContext context) {
    this(context, false);
  }

  private IndexScanner(ReadContext context, boolean readsRows) {
    this.context = requireNonNull(context, "context");
    this.readsRows = readsRows;
  }

  /** Gives visitors of versions the rows, too: much dearer. */
  public static IndexScanner ofRows(ReadContext context) {
    return new IndexScanner(context, true);
  }

  /** Splits for all keys of the table, deleted ones too as far as their deletes are in logs. */
  public static List<ScanSplit> planAll(HudiTable table) throws IOException {
    return new ScanPlanner().snapshot(table);
  }

  /**
   * Splits for the keys that some instants wrote: only files of these instants are read. Keys that
   * a rewritten base file no longer has are not visited. Instants of compactions and clusterings
   * give no splits.
   *
   * @param instants requested times of completed instants
   */
  public static List<ScanSplit> planInstants(HudiTable table, Collection<InstantTime> instants)
      throws IOException {
    Set<InstantTime> wanted = new HashSet<>(instants);
    List<ChangedGroup.Commit> commits = new ArrayList<>();
    for (Instant.Completed instant : table.timeline().completedWrites()) {
      if (wanted.contains(instant.requestedTime())) {
        CommitMetadata metadata = table.timelineStore().readCommit(instant);
        if (!metadata.isTableService()) {
          commits.add(new ChangedGroup.Commit(instant, metadata));
        }
      }
    }
    List<ScanSplit> splits = new ArrayList<>();
    for (ChangedGroup group : ChangedGroup.of(commits, path -> true)) {
      splits.add(
          new ScanSplit.Changes(
              group.slice(),
              new LogBlockFilter(InstantTime.BEGINNING, wanted),
              wanted,
              ChangePhase.ALL,
              null));
    }
    return splits;
  }

  /**
   * Visits versions of the keys of a split: the newest of each among them, and no older one after
   * it. Much cheaper than {@link #scan}, for whoever folds them by the table's merge rule, such as
   * an index that must do so anyway. A version may come twice.
   */
  public void scanVersions(ScanSplit split, SliceKeyReader.Visitor visitor) throws IOException {
    Set<InstantTime> instants =
        split instanceof ScanSplit.Changes changes ? changes.instants() : null;
    if (readsRows
        || !new SliceKeyReader(context, instants, visitor).read(split.slice(), split.blocks())) {
      Version version = new Version();
      scan(
          split,
          (entry, row) -> {
            byte[] key = entry.recordKey();
            if (visitor.wants(key, 0, key.length)) {
              visitor.visit(
                  version.set(entry.isDelete(), entry.ordering()), entry.isDelete() ? null : row);
            }
          });
    }
  }

  private interface RowVisitor {
    void visit(IndexEntry entry, RowData row) throws IOException;
  }

  /** Visits each key of a split once, with its newest version. */
  public void scan(ScanSplit split, Visitor visitor) throws IOException {
    scan(split, (entry, row) -> visitor.visit(entry));
  }

  private void scan(ScanSplit split, RowVisitor visitor) throws IOException {
    RowType columns = KEY_AND_TIME;
    if (readsRows) {
      List<RowType.RowField> fields = new ArrayList<>(KEY_AND_TIME.getFields());
      fields.addAll(context.schema().rowType().getFields());
      columns = new RowType(false, fields);
    }
    ProjectedRowData own =
        ProjectedRowData.from(IntStream.range(2, columns.getFieldCount()).toArray());
    RowSelection selection = new RowSelection.Newest();
    if (split instanceof ScanSplit.Changes changes) {
      selection = SplitReader.selection(changes);
    }
    try (FileSliceReader reader =
        FileSliceReader.openWithOrdering(
            context, split.slice(), split.blocks(), selection, columns)) {
      StringData lastTime = StringData.fromString("");
      InstantTime instant = InstantTime.BEGINNING;
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        StringData time = row.getString(1);
        if (!time.equals(lastTime)) { // neighbours were mostly written together
          lastTime = StringData.fromBytes(time.toBytes());
          instant = new InstantTime(time.toString());
        }
        visitor.visit(
            new IndexEntry(
                row.getString(0).toBytes(),
                split.groupId(),
                reader.ordering(),
                row.getRowKind() == RowKind.DELETE,
                instant),
            own.replaceRow(row));
      }
    }
  }
}
