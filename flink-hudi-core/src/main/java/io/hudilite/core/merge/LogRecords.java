package io.hudilite.core.merge;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeBehavior;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.log.CorruptLogException;
import io.hudilite.core.log.DeletedRecord;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.log.RecordCursor;
import io.hudilite.core.timeline.InstantTime;
import java.io.Closeable;
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
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads the log files of a slice, one after the other, into a {@link LogRecordMap}. Rollback blocks
 * come after what they make void; when one concerns blocks that were taken already, all is read
 * again without them. Not safe for use by several threads.
 */
final class LogRecords implements Closeable {

  /**
   * Where versions in the map are from.
   *
   * @param format of what is kept of them; null for deletes
   * @param block file and position, for messages
   */
  record Origin(InstantTime instant, @Nullable BodyFormat format, String block) {}

  /** Records whose keys are looked up together. */
  private static final int GROUP = 64;

  private final ReadContext context;
  private final List<LogFile> files;
  private final LogBlockFilter filter;
  private final RecordMerger merger;
  private final SliceColumns columns;
  private final MergeBehavior behavior;
  private final VersionCombiner combiner;
  private final LogRecordMap map;
  private final List<Origin> origins = new ArrayList<>();
  private final Map<Schema, RecordLayout> layouts = new HashMap<>();
  private final Map<Schema, RecordLayout> partialLayouts = new HashMap<>();
  private final Map<Set<String>, RecordLayout> combinedLayouts = new HashMap<>();
  private final Map<Origin, Integer> combinedOrigins = new HashMap<>();
  private final Version version = new Version();
  private final int[] offsets = new int[GROUP];
  private final int[] lengths = new int[GROUP];
  private final int[] keyOffsets = new int[GROUP];
  private final int[] keyLengths = new int[GROUP];
  private final int[] hashes = new int[GROUP];
  private final Version known = new Version();
  private final Map<Integer, Version> deletesBefore = new HashMap<>();
  @Nullable private AvroRowEncoder combinedEncoder;
  private final AvroBuffer combinedRecord = new AvroBuffer();

  /** Whether records were met that are merged into others, or all are. */
  private boolean mayCombine;

  /** Blocks of these instants up to this place are void. */
  private final Map<InstantTime, Place> rolledBack = new HashMap<>();

  private final ColumnHistory history;

  private final Set<InstantTime> taken = new HashSet<>();

  /** A block's place in reading order. */
  private record Place(int file, long position) {
    boolean isBefore(Place other) {
      return file < other.file || (file == other.file && position < other.position);
    }
  }

  private LogRecords(
      ReadContext context,
      List<LogFile> files,
      LogBlockFilter filter,
      RecordMerger merger,
      VersionCombiner combiner,
      SliceColumns columns) {
    this.context = context;
    this.history = context.columns();
    this.files = files;
    this.filter = filter;
    this.merger = merger;
    this.columns = columns;
    this.behavior = context.config().mergeBehavior();
    this.combiner = combiner;
    this.mayCombine = combiner.combinesAll();
    this.map = new LogRecordMap(merger, context.memory(), this::readVersion);
  }

  /**
   * Reads all files.
   *
   * @param combiner for the columns that {@code columns} reads
   * @param columns what to decode of winning records
   */
  static LogRecords read(
      ReadContext context,
      List<LogFile> files,
      LogBlockFilter filter,
      RecordMerger merger,
      VersionCombiner combiner,
      SliceColumns columns)
      throws IOException {
    LogRecords records = new LogRecords(context, files, filter, merger, combiner, columns);
    try {
      while (!records.readAll()) {
        records.map.clear();
        records.deletesBefore.clear();
        records.taken.clear();
      }
    } catch (IOException | RuntimeException e) {
      records.close();
      throw e;
    }
    return records;
  }

  LogRecordMap map() {
    return map;
  }

  Origin origin(int entry) {
    return origins.get(map.origin(entry));
  }

  /** The row of an entry that is no delete; valid until the next call. */
  RowData decode(int entry) throws IOException {
    map.loadBody(entry);
    Origin origin = origin(entry);
    try {
      return origin.format.decode(
          map.bodyArray(), map.bodyOffset(), map.bodyLength(entry), map.keyLength(entry));
    } catch (MalformedAvroException e) {
      throw damaged(origin.block, e);
    } catch (HudiTableException e) {
      throw unreadable(origin.block, e);
    }
  }

  private static HudiTableException unreadable(String block, HudiTableException cause) {
    return new HudiTableException("The block of " + block + ": " + cause.getMessage(), cause);
  }

  @Override
  public void close() throws IOException {
    map.close();
  }

  /** False if a rollback block made blocks void that were taken before. */
  private boolean readAll() throws IOException {
    for (int i = 0; i < files.size(); i++) {
      LogFile file = files.get(i);
      try (LogReader reader = LogReader.open(context.storage(), file.path(), file.lengthBytes())) {
        List<LogBlock> blocks = new ArrayList<>();
        for (LogBlock block = reader.next(); block != null; block = reader.next()) {
          if (block instanceof LogBlock.Rollback rollback) {
            Place place = new Place(i, rollback.position());
            rolledBack.merge(rollback.target(), place, (a, b) -> a.isBefore(b) ? b : a);
            if (taken.contains(rollback.target())) {
              return false;
            }
          }
          blocks.add(block);
        }
        for (LogBlock block : blocks) {
          take(file, new Place(i, block.position()), block);
        }
      }
    }
    return true;
  }

  private void take(LogFile file, Place place, LogBlock block) throws IOException {
    if (block instanceof LogBlock.Data data) {
      if (isWanted(data.instant(), place)) {
        takeRecords(file, data);
      }
    } else if (block instanceof LogBlock.Delete delete) {
      if (isWanted(delete.instant(), place)) {
        takeDeletes(file, delete);
      }
    } else if (block instanceof LogBlock.ParquetData parquet
        && isWanted(parquet.instant(), place)) {
      takeParquet(file, parquet);
    }
  }

  private boolean isWanted(InstantTime instant, Place place) {
    Place until = rolledBack.get(instant);
    if (!filter.accepts(instant) || (until != null && place.isBefore(until))) {
      return false;
    }
    taken.add(instant);
    return true;
  }

  private void takeRecords(LogFile file, LogBlock.Data data) throws IOException {
    String block = place(file, data.position());
    Schema schema = history.namedNow(data.schema(), data.instant());
    RecordLayout layout = layout(schema, data.isPartial(), block);
    int origin = originOf(data.instant(), layout, block);
    try {
      if (layout.mayDelete() || mayCombine) {
        RecordCursor records = data.records();
        while (records.next()) {
          put(layout, origin, records.bytes(), records.offset(), records.length());
        }
      } else {
        takeUpserts(layout, origin, data.pairedRecords());
      }
    } catch (MalformedAvroException e) {
      throw damaged(origins.get(origin).block, e);
    }
  }

  /** Takes records that all upsert, and of which each is seen alone. */
  private void takeUpserts(RecordLayout layout, int origin, RecordCursor records)
      throws IOException {
    byte[] array = null;
    int count = 0;
    while (records.next()) {
      if (records.bytes() != array || count == GROUP) {
        putGroup(array, count, origin);
        count = 0;
        array = records.bytes();
      }
      layout.findKey(array, records.offset(), records.length());
      offsets[count] = layout.keptFrom(records.offset());
      lengths[count] = records.offset() + records.length() - offsets[count];
      keyOffsets[count] = layout.keyOffset();
      keyLengths[count] = layout.keyLength();
      hashes[count] = LogRecordMap.hash(array, layout.keyOffset(), layout.keyLength());
      count++;
    }
    putGroup(array, count, origin);
  }

  private void putGroup(byte[] array, int count, int origin) throws IOException {
    map.prefetch(hashes, count);
    for (int i = 0; i < count; i++) {
      map.putUpsert(array, offsets[i], lengths[i], keyOffsets[i], keyLengths[i], hashes[i], origin);
    }
  }

  private void readVersion(
      int origin, byte[] array, int offset, int length, int keyOffset, int keyLength, Version to)
      throws IOException {
    Origin from = origins.get(origin);
    try {
      from.format.readVersion(array, offset, length, keyOffset + keyLength, to);
    } catch (MalformedAvroException e) {
      throw damaged(from.block, e);
    }
  }

  private static CorruptLogException damaged(String block, MalformedAvroException cause) {
    return new CorruptLogException(
        "The block of %s holds a damaged record: %s".formatted(block, cause.getMessage()), cause);
  }

  /** Takes a version, and copies what is needed of it. */
  private void put(RecordLayout layout, int origin, byte[] bytes, int offset, int length)
      throws IOException {
    layout.findKey(bytes, offset, length);
    int keyOffset = layout.keyOffset();
    int keyLength = layout.keyLength();
    layout.readVersion(bytes, offset, length, keyOffset + keyLength, version);
    if (version.isDelete()) {
      map.delete(bytes, keyOffset, keyLength, version, origin);
      return;
    }
    int from = layout.keptFrom(offset);
    int kept = offset + length - from;
    if (mayCombine) {
      int entry = map.find(bytes, keyOffset, keyLength);
      if (entry != LogRecordMap.NONE && map.isDelete(entry)) {
        rememberDelete(entry);
      } else if (entry != LogRecordMap.NONE) {
        combine(entry, layout, origin, bytes, from, kept);
        return;
      }
    }
    map.put(bytes, keyOffset, keyLength, version, origin, bytes, from, kept);
  }

  /** The row that comes back after a delete has nothing of the rows before it. */
  private void rememberDelete(int entry) throws IOException {
    map.version(entry, known);
    if (merger.laterWins(known, version)) {
      deletesBefore.put(entry, new Version().set(true, known.toOrderingValue()));
    }
  }

  /** The delete after which the row of an entry came back; null if there was none. */
  @Nullable
  Version deleteBefore(int entry) {
    return deletesBefore.get(entry);
  }

  /**
   * Merges a record into the version that is known of its key; neither is a delete.
   *
   * @param offset of what is kept of the record
   */
  private void combine(
      int entry, BodyFormat format, int origin, byte[] bytes, int offset, int length)
      throws IOException {
    map.version(entry, known);
    boolean laterWins = merger.laterWins(known, version);
    BodyFormat knownFormat = origin(entry).format;
    if (!combiner.combinesAll() && !(laterWins ? format : knownFormat).isPartial()) {
      if (laterWins) {
        map.replace(entry, version, origin, bytes, offset, length);
      }
      return;
    }
    map.loadBody(entry);
    int keyLength = map.keyLength(entry);
    RowData earlier =
        knownFormat.decodeNew(map.bodyArray(), map.bodyOffset(), map.bodyLength(entry), keyLength);
    RowData later = format.decodeNew(bytes, offset, length, keyLength);
    RowData made = combiner.combine(earlier, knownFormat.has(), later, format.has(), laterWins);
    Version winner = laterWins ? version : known;
    if (made == earlier) {
      return;
    }
    if (made == later) {
      map.replace(entry, winner, origin, bytes, offset, length);
      return;
    }
    InstantTime instant = origins.get(origin).instant;
    if (made == null) {
      map.replaceByDelete(entry, winner.asDelete(), originOf(instant, null, "several blocks"));
      return;
    }
    RecordLayout combined = combined(knownFormat, format);
    combinedRecord.reset();
    combinedEncoder.encode(made, combinedRecord);
    map.replace(
        entry,
        winner,
        combinedOrigins.computeIfAbsent(
            new Origin(instant, combined, "several blocks"),
            o -> originOf(instant, combined, o.block)),
        combinedRecord.array(),
        0,
        combinedRecord.size());
  }

  private RecordLayout combined(BodyFormat earlier, BodyFormat later) {
    Set<String> names = new LinkedHashSet<>(earlier.columnNames());
    names.addAll(later.columnNames());
    boolean isPartial = earlier.isPartial() && later.isPartial();
    RowType held = nullable(columns.read());
    if (combinedEncoder == null) {
      combinedEncoder = new AvroRowEncoder(held);
    }
    Set<String> key = new HashSet<>(names);
    if (isPartial) {
      key.add(""); // no column has this name
    }
    return combinedLayouts.computeIfAbsent(
        key, k -> RecordLayout.ofCombined(held, List.copyOf(names), isPartial));
  }

  static RowType nullable(RowType rowType) {
    return new RowType(
        false,
        rowType.getFields().stream()
            .map(field -> new RowType.RowField(field.getName(), field.getType().copy(true)))
            .toList());
  }

  private void takeDeletes(LogFile file, LogBlock.Delete delete) throws IOException {
    int origin = originOf(delete.instant(), null, place(file, delete.position()));
    for (DeletedRecord record : delete.records()) {
      byte[] key = record.recordKey();
      map.delete(key, 0, key.length, version.set(true, record.ordering()), origin);
    }
  }

  private void takeParquet(LogFile file, LogBlock.ParquetData block) throws IOException {
    mayCombine |= block.isPartial();
    String where = file.path() + " at byte " + block.contentPosition();
    try (ParquetRecords records =
        ParquetRecords.open(context, block, where, merger, columns, map)) {
      int origin = originOf(block.instant(), records.format(), place(file, block.position()));
      while (records.next()) {
        put(records, origin);
      }
    }
  }

  private void put(ParquetRecords records, int origin) throws IOException {
    RowKeys key = records.keys();
    records.readVersion(version);
    if (version.isDelete()) {
      map.delete(key.array(), key.offset(), key.length(), version, origin);
      return;
    }
    if (mayCombine) {
      int known = map.find(key.hash(), key.array(), key.offset(), key.length());
      if (known != LogRecordMap.NONE && map.isDelete(known)) {
        rememberDelete(known);
      } else if (known != LogRecordMap.NONE) {
        AvroBuffer kept = records.kept();
        combine(known, records.format(), origin, kept.array(), 0, kept.size());
        return;
      }
    }
    int entry = map.claim(key.array(), key.offset(), key.length(), key.hash(), version);
    if (entry != LogRecordMap.NONE) {
      AvroBuffer kept = records.kept();
      map.fill(entry, version, origin, kept.array(), 0, kept.size());
    }
  }

  private RecordLayout layout(Schema schema, boolean isPartial, String block) {
    mayCombine |= isPartial;
    try {
      return (isPartial ? partialLayouts : layouts)
          .computeIfAbsent(
              schema,
              s ->
                  new RecordLayout(
                      s,
                      context.schema(),
                      merger.usesOrdering(),
                      behavior,
                      columns.read(),
                      isPartial));
    } catch (HudiTableException e) {
      throw unreadable(block, e);
    }
  }

  private int originOf(InstantTime instant, @Nullable BodyFormat format, String block) {
    origins.add(new Origin(instant, format, block));
    return origins.size() - 1;
  }

  private static String place(LogFile file, long position) {
    return file.path() + " at byte " + position;
  }
}
