package io.hudilite.core.merge;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.config.TableConfig;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Decides what becomes of two versions of a row. Most rules only choose one of them; a rule that
 * makes one row out of both says so by {@link #combination()}. Pure; implementations have no state
 * and may be used by several threads.
 *
 * <p>A table of merge mode CUSTOM names a class in {@code hoodie.compaction.payload.class}: if that
 * is an implementation of this interface with a public constructor without parameters, it is used.
 */
public interface RecordMerger {

  /** Whether rows are made out of both versions. */
  enum Combination {
    /** Never: one version counts, whole. */
    NONE,
    /** Column by column, so that only the columns that a reader wants are looked at. */
    BY_COLUMN,
    /** Any column may depend on any other: all columns of both versions are read. */
    WHOLE_ROWS
  }

  /**
   * Whether {@code later} replaces {@code earlier}. Also if rows are combined this says whether a
   * delete counts, and which of two rows the meta columns are taken from.
   *
   * @param earlier the one that comes first in reading order: base file, then log files
   */
  boolean laterWins(Version earlier, Version later);

  /** Whether ordering values matter, so that readers need the ordering columns. */
  boolean usesOrdering();

  default Combination combination() {
    return Combination.NONE;
  }

  /**
   * A combiner for rows of a type. Called if {@link #combination()} is not NONE.
   *
   * @param rowType for WHOLE_ROWS all columns of the table in its order; for BY_COLUMN any columns,
   *     meta columns may be among them
   */
  default RowCombiner combiner(RowType rowType) {
    throw new IllegalStateException(getClass() + " has no combiner, but says that it combines");
  }

  /**
   * What is stored of a row that arrives, as Hudi's payload classes say in {@code getInsertValue}.
   * Writers ask it before anything else is done with the row, for its key, partition and ordering
   * too; never for deletes. Called once per task; the function is used by one thread.
   *
   * @param rowType of the rows: all columns of the table in its order
   * @return gives the row to be stored, of the same row kind, which may be the one given, or be
   *     used again with the next call; empty if rows are stored as they come
   */
  default Optional<UnaryOperator<RowData>> storedRows(RowType rowType) {
    return Optional.empty();
  }

  /**
   * The rule of a merge mode alone.
   *
   * @throws HudiTableException for {@link MergeMode#CUSTOM}, where a class of the writer decides
   */
  static RecordMerger of(MergeMode mode) {
    return switch (mode) {
      case COMMIT_TIME_ORDERING -> new CommitTimeMerger();
      case EVENT_TIME_ORDERING -> new EventTimeMerger();
      case CUSTOM ->
          throw new HudiTableException(
              "The rows of this table are merged by a class of its writer (merge mode CUSTOM),"
                  + " which cannot be run here. Set 'hoodie.record.merge.mode' of the table to"
                  + " EVENT_TIME_ORDERING or COMMIT_TIME_ORDERING, if one of them tells how its"
                  + " rows are to be merged.");
    };
  }

  /**
   * The rule of a table, by all that its config says: mode, payload class, partial updates.
   *
   * @throws HudiTableException if a class decides that cannot be loaded or is no RecordMerger
   */
  static RecordMerger of(TableConfig config) {
    return RecordMergers.of(config);
  }
}
