package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.log.DeletedRecord;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.log.RecordCursor;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads the keys of a slice without merging: every version of every key, in reading order, as a
 * stream. So whoever folds them by the table's {@link RecordMerger} has the newest version of each
 * in the end, without a map of all records on the way. That holds where the rule is to take the
 * greatest ordering value, or the last version; other slices are left to {@link FileSliceReader}.
 * Not safe for use by several threads.
 */
public final class SliceKeyReader {
  /** So many log files are open at the same time; a slice with more is merged. */
  private static final int MOST_LOG_FILES = 64;

  /** Takes versions of keys. */
  public interface Visitor {
    /**
     * Looks at a key first, so that nothing is read of a version that nobody wants.
     *
     * @param bytes hold the key as UTF-8; must not be kept
     * @return whether {@link #visit} is to be called for this version
     */
    boolean wants(byte[] bytes, int offset, int length) throws IOException;

    /**
     * The version of the key that {@link #wants} has just accepted.
     *
     * @param version must not be kept
     */
    void visit(Version version) throws IOException;

    /**
     * The same where rows are read with their keys.
     *
     * @param row of the table's own columns, as far as they were read; must not be kept; null for a
     *     delete
     */
    default void visit(Version version, @Nullable RowData row) throws IOException {
      visit(version);
    }
  }

  private final ReadContext context;
  private final RecordMerger merger;
  private final Visitor visitor;
  private final SliceColumns columns;
  private final Map<Schema, RecordLayout> layouts = new HashMap<>();
  private final Version version = new Version();

  /** Null if all rows of base files count. */
  @Nullable private final Set<InstantTime> instants;

  /** Of the first ordering value, which all others must have. */
  @Nullable private OrderingValue.Kind kind;

  /**
   * @param instants those whose rows in base files are visited, or null for all
   */
  public SliceKeyReader(ReadContext context, @Nullable Set<InstantTime> instants, Visitor visitor) {
    this.context = requireNonNull(context, "context");
    this.instants = instants;
    this.visitor = requireNonNull(visitor, "visitor");
    this.merger = RecordMerger.of(context.config());
    Set<String> needs = new LinkedHashSet<>(Set.of(MetaColumns.RECORD_KEY));
    if (instants != null) {
      needs.add(MetaColumns.COMMIT_TIME);
    }
    if (merger.usesOrdering()) {
      needs.addAll(context.schema().orderingColumns());
    }
    this.columns = SliceColumns.of(new RowType(false, List.of()), context.schema(), needs);
  }

  /**
   * Visits the versions of one slice.
   *
   * @return false if they do not fold one by one, which may show after some were visited: then the
   *     slice must be merged, and the result be folded over what was visited
   */
  public boolean read(FileSlice slice, LogBlockFilter blocks) throws IOException {
    if (!(merger instanceof EventTimeMerger || merger instanceof CommitTimeMerger)
        || slice.logFiles().size() > MOST_LOG_FILES) {
      return false;
    }
    kind = null;
    List<LogReader> readers = new ArrayList<>();
    try {
      // The log files first, since they may turn out to need merging.
      List<LogBlock> wanted = new ArrayList<>();
      for (LogFile file : slice.logFiles()) {
        LogReader reader = LogReader.open(context.storage(), file.path(), file.lengthBytes());
        readers.add(reader);
        if (!collect(reader, blocks, wanted)) {
          return false;
        }
      }
      if (slice.baseFile().isPresent() && !readBase(slice.baseFile().get())) {
        return false;
      }
      for (LogBlock block : wanted) {
        if (!readBlock(block)) {
          return false;
        }
      }
      return true;
    } finally {
      close(readers);
    }
  }

  /** Adds the blocks that count; false if one of them cannot be read here. */
  private boolean collect(LogReader reader, LogBlockFilter filter, List<LogBlock> wanted)
      throws IOException {
    for (LogBlock block = reader.next(); block != null; block = reader.next()) {
      if (block instanceof LogBlock.Rollback) {
        return false;
      } else if (block instanceof LogBlock.Data data) {
        if (filter.accepts(data.instant())) {
          if (data.isPartial()) {
            return false;
          }
          wanted.add(data);
        }
      } else if (block instanceof LogBlock.Delete delete) {
        if (filter.accepts(delete.instant())) {
          wanted.add(delete);
        }
      } else if (block instanceof LogBlock.ParquetData parquet
          && filter.accepts(parquet.instant())) {
        if (parquet.isPartial() || mayDelete(parquet.schema())) {
          return false;
        }
        wanted.add(parquet);
      }
    }
    return true;
  }

  /** Whether rows of this schema may say that they are deletes. */
  private boolean mayDelete(Schema schema) {
    String marked = context.config().mergeBehavior().deleteField();
    return schema.getField(SliceColumns.IS_DELETED) != null
        || (!marked.isEmpty() && schema.getField(marked) != null);
  }

  private boolean readBlock(LogBlock block) throws IOException {
    if (block instanceof LogBlock.Data data) {
      return readRecords(data);
    }
    if (block instanceof LogBlock.ParquetData parquet) {
      String name = "A Parquet block at byte " + parquet.contentPosition();
      try (BaseFileReader rows =
          BaseFileReader.open(
              name, parquet.open(), parquet.contentLength(), columns.readFromBase())) {
        return readRows(rows, null);
      }
    }
    return readDeletes((LogBlock.Delete) block);
  }

  private boolean readBase(BaseFile file) throws IOException {
    Set<StringData> times = null;
    if (instants != null) {
      times = new HashSet<>();
      for (InstantTime time : instants) {
        times.add(StringData.fromString(time.digits()));
      }
    }
    try (BaseFileReader base =
        BaseFileReader.open(
            context.storage(), file.path(), file.lengthBytes(), columns.readFromBase())) {
      return readRows(base, times);
    }
  }

  /**
   * @param times commit times of the rows that count, null for all
   */
  private boolean readRows(BaseFileReader rows, @Nullable Set<StringData> times)
      throws IOException {
    RowType read = columns.readFromBase();
    int keyPosition = read.getFieldIndex(MetaColumns.RECORD_KEY);
    int timePosition = read.getFieldIndex(MetaColumns.COMMIT_TIME);
    OrderingColumns ordering =
        merger.usesOrdering()
            ? new OrderingColumns(
                context.schema().orderingColumns(), read, context.schema().rowType())
            : null;
    for (RowData row = rows.next(); row != null; row = rows.next()) {
      if (times != null
          && (row.isNullAt(timePosition) || !times.contains(row.getString(timePosition)))) {
        continue;
      }
      if (!wants((BinaryStringData) row.getString(keyPosition))) {
        continue;
      }
      if (ordering == null) {
        version.setNone(false);
      } else {
        ordering.read(row, false, version);
      }
      if (!visit()) {
        return false;
      }
    }
    return true;
  }

  private boolean wants(BinaryStringData key) throws IOException {
    key.ensureMaterialized();
    if (key.getSegments().length == 1 && !key.getSegments()[0].isOffHeap()) {
      byte[] array = key.getSegments()[0].getHeapMemory();
      return visitor.wants(array, key.getOffset(), key.getSizeInBytes());
    }
    byte[] copy = key.toBytes();
    return visitor.wants(copy, 0, copy.length);
  }

  private boolean readRecords(LogBlock.Data data) throws IOException {
    RecordLayout layout =
        layouts.computeIfAbsent(
            data.schema(),
            schema ->
                new RecordLayout(
                    schema,
                    context.schema(),
                    merger.usesOrdering(),
                    context.config().mergeBehavior(),
                    columns.read(),
                    false));
    RecordCursor records = data.records();
    while (records.next()) {
      byte[] bytes = records.bytes();
      layout.findKey(bytes, records.offset(), records.length());
      if (visitor.wants(bytes, layout.keyOffset(), layout.keyLength())) {
        layout.readVersion(
            bytes,
            records.offset(),
            records.length(),
            layout.keyOffset() + layout.keyLength(),
            version);
        if (!visit()) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean readDeletes(LogBlock.Delete delete) throws IOException {
    for (DeletedRecord record : delete.records()) {
      byte[] key = record.recordKey();
      if (visitor.wants(key, 0, key.length)) {
        version.set(true, record.ordering());
        if (!visit()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * By event time only versions that compare fold one by one: a delete without ordering value hides
   * what came before it from what comes after it, though not from a base file.
   */
  private boolean visit() throws IOException {
    if (merger.usesOrdering()) {
      kind = kind == null ? version.kind() : kind;
      if (version.kind() != kind
          || kind == OrderingValue.Kind.NONE
          || (kind == OrderingValue.Kind.INT && version.number() == 0)) {
        return false;
      }
    }
    visitor.visit(version);
    return true;
  }

  private static void close(List<LogReader> readers) throws IOException {
    IOException failure = null;
    for (LogReader reader : readers) {
      try {
        reader.close();
      } catch (IOException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
