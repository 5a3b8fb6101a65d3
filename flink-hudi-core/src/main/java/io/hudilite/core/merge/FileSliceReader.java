package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.ByteRange;
import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyParser;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * Merges the files of one slice into rows: first those of the base file, in its order, then the
 * keys that only log files have, in the order in which they came first. The order is the same each
 * time. A slice without log files is read without looking at keys. Not safe for use by several
 * threads.
 *
 * <pre>
 * log files  --read whole-->  LogRecords (newest version of each key)
 *                                  |  asked for each key
 * base file  --streamed------------+-->  RecordMerger decides  -->  rows
 *                                  +-->  keys that were never asked for  -->  rows
 * </pre>
 */
public final class FileSliceReader implements RowReader {
  /** Records of logs whose memory is looked at in advance. */
  private static final int PREFETCHED = 32;

  private final ReadContext context;
  private final FileSlice slice;
  private final RecordMerger merger;
  private final boolean selectsUpserts;
  private final boolean selectsDeletes;

  /** Null if all instants count. */
  @Nullable private final Set<InstantTime> instants;

  /** The same as {@link #instants}, as they stand in rows. */
  private final Set<StringData> commitTimes = new HashSet<>();

  private final boolean isLive;
  private final RowType wanted;
  private final KeyParser keyParser;
  private final DeletedRows deletedRows;
  private final boolean tracksOrdering;

  @Nullable private LogRecords logs;
  private LogRecordMap map;
  private final SliceColumns columns;
  @Nullable private final VersionCombiner combiner;
  @Nullable private BaseFileReader base;
  private final Map<BodyFormat, RowShape> logShapes = new HashMap<>();
  private final Map<BodyFormat, RowShape> combinedShapes = new HashMap<>();
  private List<String> baseColumnNames = List.of();
  private RowShape baseShape;

  private int keyPosition = -1;
  private int commitTimePosition = -1;
  @Nullable private RowKeys baseKeys;
  @Nullable private OrderingColumns baseOrdering;
  private StringData lastCommitTime = StringData.fromString("");
  private boolean lastCommitTimeCounts;

  private final Version baseVersion = new Version();
  private final Version logVersion = new Version();
  @Nullable private Version current;
  private long baseRows;
  private int nextEntry;

  /** Whether rows of the base file may be left out. */
  private boolean isNarrowed;

  private FileSliceReader(
      ReadContext context,
      FileSlice slice,
      RowSelection selection,
      RowType wanted,
      boolean tracksOrdering) {
    this.context = context;
    this.slice = slice;
    this.wanted = wanted;
    this.tracksOrdering = tracksOrdering;
    // Without logs there is nothing to merge, whatever class would do it.
    this.merger =
        slice.logFiles().isEmpty() && !tracksOrdering
            ? new CommitTimeMerger()
            : RecordMerger.of(context.config());
    this.keyParser = new KeyParser(context.schema(), KeyFormat.of(context.config()));
    this.isLive = selection instanceof RowSelection.Live;
    if (selection instanceof RowSelection.Changes changes) {
      this.instants = changes.instants();
      instants.forEach(time -> commitTimes.add(StringData.fromString(time.digits())));
      this.selectsUpserts = changes.phase().wantsUpserts();
      this.selectsDeletes = changes.phase().wantsDeletes();
    } else {
      this.instants = null;
      this.selectsUpserts = true;
      this.selectsDeletes = !isLive;
    }
    this.deletedRows = new DeletedRows(keyParser, context.schema(), slice.groupId(), wanted);
    RowType decoded =
        merger.combination() == RecordMerger.Combination.WHOLE_ROWS && !slice.logFiles().isEmpty()
            ? VersionCombiner.withAllColumns(wanted, context.schema())
            : wanted;
    this.columns = SliceColumns.of(decoded, context.schema(), needs());
    this.combiner =
        slice.logFiles().isEmpty()
            ? null
            : new VersionCombiner(merger, columns.read(), context.schema());
  }

  /**
   * Opens a slice. Its log files are read here, its base file with the rows.
   *
   * @param wanted the columns to return, by name, in this order and in these types; meta columns
   *     may be among them
   */
  public static FileSliceReader open(
      ReadContext context,
      FileSlice slice,
      LogBlockFilter blocks,
      RowSelection selection,
      RowType wanted)
      throws IOException {
    return open(new FileSliceReader(context, slice, selection, wanted, false), blocks);
  }

  /** The same for rows whose {@link #ordering()} is asked for. */
  public static FileSliceReader openWithOrdering(
      ReadContext context,
      FileSlice slice,
      LogBlockFilter blocks,
      RowSelection selection,
      RowType wanted)
      throws IOException {
    return open(new FileSliceReader(context, slice, selection, wanted, true), blocks);
  }

  /**
   * Leaves rows unread that are not wanted, as far as that is cheap. Where rows are merged, only
   * key columns are looked at, which all versions of a row have alike: a row that is not wanted for
   * another value may hide an older version that seems to be. To be called before the first row.
   */
  public void keepOnly(ColumnCondition condition) throws IOException {
    if (base == null || !isLive || tracksOrdering) {
      return;
    }
    isNarrowed = true;
    TableSchema schema = context.schema();
    Optional<WantedKeys> keys = WantedKeys.of(condition, schema, KeyFormat.of(context.config()));
    if (keys.isPresent() && !keys.get().mayBeIn(base)) {
      base.keepNothing();
    } else if (!hasNamesOfNow()) {
      return;
    } else if (logs == null) {
      base.keepOnly(condition);
    } else {
      condition.of(schema.recordKeyColumns()::contains).ifPresent(base::keepOnly);
    }
  }

  /** Reads a part of the base file; of slices with log files all. */
  public void keepOnly(ByteRange part) {
    if (base != null && logs == null) {
      base.keepOnly(part);
    }
  }

  /** Conditions are in these names. */
  private boolean hasNamesOfNow() {
    return slice.baseFile().filter(f -> context.columns().isNow(f.name().instant())).isPresent();
  }

  private static FileSliceReader open(FileSliceReader reader, LogBlockFilter blocks)
      throws IOException {
    try {
      reader.openFiles(blocks);
    } catch (IOException | RuntimeException e) {
      reader.close();
      throw e;
    }
    return reader;
  }

  private Set<String> needs() {
    Set<String> needs = new LinkedHashSet<>();
    if (!slice.logFiles().isEmpty()) {
      needs.add(MetaColumns.RECORD_KEY);
    }
    if (merger.usesOrdering() && (tracksOrdering || !slice.logFiles().isEmpty())) {
      needs.addAll(context.schema().orderingColumns());
    }
    if (instants != null) {
      needs.add(MetaColumns.COMMIT_TIME);
    }
    return needs;
  }

  private void openFiles(LogBlockFilter blocks) throws IOException {
    if (!slice.logFiles().isEmpty()) {
      logs = LogRecords.read(context, slice.logFiles(), blocks, merger, combiner, columns);
      map = logs.map();
    }
    if (slice.baseFile().isPresent()) {
      BaseFile file = slice.baseFile().get();
      RowType read = columns.readFromBase();
      InstantTime written = file.name().instant();
      base =
          BaseFileReader.open(
              context.storage(),
              file.path(),
              file.lengthBytes(),
              context.columns().inFile(read, written));
      baseColumnNames = context.columns().namesNow(base.columnNames(), written);
      baseShape = shape(read, baseColumnNames);
      keyPosition = read.getFieldIndex(MetaColumns.RECORD_KEY);
      baseKeys = logs == null ? null : new RowKeys(base, keyPosition, map);
      commitTimePosition = read.getFieldIndex(MetaColumns.COMMIT_TIME);
      List<String> ordering = context.schema().orderingColumns();
      if (merger.usesOrdering() && (logs != null || tracksOrdering)) {
        baseOrdering = new OrderingColumns(ordering, read, context.schema().rowType());
      }
    }
  }

  /**
   * How many rows {@link #next()} would give. To be called in its stead: where nothing is merged,
   * the footer of the base file tells, and no row is read.
   */
  public long countRows() throws IOException {
    if (logs == null && isLive && base != null && !isNarrowed) {
      return base.rowsToRead();
    }
    long count = 0;
    while (next() != null) {
      count++;
    }
    return count;
  }

  private RowShape shape(RowType read, List<String> present) {
    return RowShape.of(
        read, wanted, present, context.schema(), keyParser, slice.groupId().partitionPath());
  }

  /** The next row, valid until the next call, or null at the end. */
  @Override
  @Nullable
  public RowData next() throws IOException {
    while (base != null) {
      RowData row = base.next();
      if (row == null) {
        base.close();
        base = null;
        break;
      }
      baseRows++;
      RowData result = logs == null ? selectBaseRow(row) : mergeBaseRow(row);
      if (result != null) {
        return result;
      }
    }
    while (logs != null && nextEntry < map.size()) {
      if (nextEntry % PREFETCHED == 0) {
        map.prefetchUnmatched(nextEntry, Math.min(nextEntry + PREFETCHED, map.size()));
      }
      int entry = nextEntry++;
      if (!map.isMatched(entry)) {
        RowData result = selectLogVersion(entry);
        if (result != null) {
          return result;
        }
      }
    }
    return null;
  }

  /** Rows of a base file that are neither merged nor looked at. */
  @Override
  @Nullable
  public VectorizedColumnBatch nextBatch() throws IOException {
    boolean isPlain = logs == null && instants == null && !tracksOrdering;
    if (base == null || !isPlain || !baseShape.takesBatches()) {
      return null;
    }
    VectorizedColumnBatch batch = base.nextBatch();
    if (batch == null) {
      return null;
    }
    baseRows += batch.getNumRows();
    return baseShape.apply(batch);
  }

  /**
   * The ordering value of the row that {@link #next()} returned last, for readers opened {@link
   * #openWithOrdering}; NONE in tables that are merged by commit time.
   */
  public OrderingValue ordering() {
    if (current == null) {
      throw new IllegalStateException("No row, or the reader was opened without ordering values");
    }
    return current.toOrderingValue();
  }

  /** Whether the key of the row that {@link #next()} returned last is in no base file. */
  public boolean isBehindBaseFile() {
    return base == null;
  }

  /** Rows of the base file that were read so far, whatever became of them. */
  public long baseFileRows() {
    return baseRows;
  }

  @Nullable
  private RowData mergeBaseRow(RowData row) throws IOException {
    baseKeys.seek(row);
    int entry = baseKeys.findEntry();
    if (entry == LogRecordMap.NONE) {
      return selectBaseRow(row);
    }
    map.setMatched(entry);
    boolean logWins = true;
    if (baseOrdering != null || combiner.combinesAll() || logs.deleteBefore(entry) != null) {
      if (baseOrdering == null) {
        baseVersion.setNone(false);
      } else {
        baseOrdering.read(row, false, baseVersion);
      }
      map.version(entry, logVersion);
      logWins = merger.laterWins(baseVersion, logVersion);
    }
    Version deleted = logs.deleteBefore(entry);
    if (deleted != null && merger.laterWins(baseVersion, deleted)) {
      return selectLogVersion(entry);
    }
    if (!map.isDelete(entry)
        && (combiner.combinesAll() || (logWins && logs.origin(entry).format().isPartial()))) {
      return combineBaseRow(row, entry, logWins);
    }
    return logWins ? selectLogVersion(entry) : selectBaseRow(row);
  }

  @Nullable
  private RowData combineBaseRow(RowData row, int entry, boolean logWins) throws IOException {
    BodyFormat format = logs.origin(entry).format();
    RowData fromLog = logs.decode(entry);
    RowData made = combiner.combine(row, null, fromLog, format.has(), logWins);
    if (made == row) {
      return selectBaseRow(row);
    }
    if (made == fromLog) {
      return selectLogVersion(entry);
    }
    InstantTime instant = logs.origin(entry).instant();
    if (instants != null && !instants.contains(instant) && !isOfInstants(row)) {
      return null;
    }
    current = logWins ? logVersion : baseVersion;
    map.version(entry, logVersion);
    if (made == null) {
      return selectsDeletes
          ? deletedRows.row(map.key(entry), current.toOrderingValue(), instant)
          : null;
    }
    if (!selectsUpserts) {
      return null;
    }
    made.setRowKind(isLive ? RowKind.INSERT : RowKind.UPDATE_AFTER);
    return combinedShapes.computeIfAbsent(format, this::combinedShape).apply(made);
  }

  private RowShape combinedShape(BodyFormat format) {
    Set<String> names = new LinkedHashSet<>(baseColumnNames);
    names.addAll(format.columnNames());
    return shape(columns.read(), List.copyOf(names));
  }

  @Nullable
  private RowData selectBaseRow(RowData row) {
    if (instants != null && !(selectsUpserts && isOfInstants(row))) {
      return null;
    }
    if (tracksOrdering) {
      if (baseOrdering == null) {
        baseVersion.setNone(false);
      } else {
        baseOrdering.read(row, false, baseVersion);
      }
      current = baseVersion;
    }
    return baseShape.apply(row);
  }

  private boolean isOfInstants(RowData row) {
    if (row.isNullAt(commitTimePosition)) {
      return false;
    }
    StringData commitTime = row.getString(commitTimePosition);
    if (!commitTime.equals(lastCommitTime)) {
      lastCommitTime = StringData.fromBytes(commitTime.toBytes());
      lastCommitTimeCounts = commitTimes.contains(lastCommitTime);
    }
    return lastCommitTimeCounts;
  }

  @Nullable
  private RowData selectLogVersion(int entry) throws IOException {
    boolean isDelete = map.isDelete(entry);
    if (isDelete ? !selectsDeletes : !selectsUpserts) {
      return null;
    }
    LogRecords.Origin origin = logs.origin(entry);
    if (instants != null && !instants.contains(origin.instant())) {
      return null;
    }
    if (tracksOrdering || isDelete) {
      map.version(entry, logVersion);
      current = logVersion;
    }
    if (isDelete) {
      return deletedRows.row(map.key(entry), logVersion.toOrderingValue(), origin.instant());
    }
    if (instants != null
        && slice.baseFile().isEmpty()
        && !origin.format().hasFirst(wanted.getFieldCount())) {
      throw new HudiTableException(
          ("Changes of file group '%s' in partition '%s' of the table at '%s' are partial updates:"
                  + " the log holds some columns only, and the rest is in files that reading these"
                  + " changes does not look at. Read the whole table ('read.start-commit' ="
                  + " 'earliest'), or write whole rows.")
              .formatted(
                  slice.groupId().fileId(),
                  slice.groupId().partitionPath(),
                  context.storage().location()));
    }
    RowData row = logs.decode(entry);
    row.setRowKind(isLive ? RowKind.INSERT : RowKind.UPDATE_AFTER);
    return logShapes
        .computeIfAbsent(origin.format(), format -> shape(columns.read(), format.columnNames()))
        .apply(row);
  }

  @Override
  public void close() throws IOException {
    try {
      if (base != null) {
        base.close();
        base = null;
      }
    } finally {
      if (logs != null) {
        logs.close();
        logs = null;
      }
    }
  }
}
