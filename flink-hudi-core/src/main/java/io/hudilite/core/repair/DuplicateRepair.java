package io.hudilite.core.repair;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.compact.BusyGroups;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.recovery.SoleWriter;
import io.hudilite.core.repair.DuplicateKeys.Duplicate;
import io.hudilite.core.repair.DuplicateKeys.Place;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.TableCommit;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Takes rows of {@link DuplicateKeys} out of a table. Every file group that has one too many gets a
 * new base file without it, as if it were compacted, all in one commit: so file groups stay, an
 * index that knows the rows that are kept stays right, and streaming readers see no change. Holds
 * the lease of the table's writer. A crash leaves the table as it was, or repaired; what is left of
 * it is removed by the next writer. Not safe for use by several threads.
 */
public final class DuplicateRepair {
  /** Keys that one commit repairs; their rows are remembered meanwhile. */
  private static final int KEYS_PER_COMMIT = 1_000_000;

  private static final long BEAT_NANOS = 2_000_000_000L;

  private final Storage storage;
  private final SoleWriter writer;
  private final BaseFileSettings settings;

  /**
   * @param writer of this storage
   * @param settings of the new base files
   */
  public DuplicateRepair(Storage storage, SoleWriter writer, BaseFileSettings settings) {
    this.storage = requireNonNull(storage, "storage");
    this.writer = requireNonNull(writer, "writer");
    this.settings = requireNonNull(settings, "settings");
  }

  /**
   * What was done.
   *
   * @param instant of the commit; empty if there was nothing to repair
   * @param repaired by key
   */
  public record Result(Optional<InstantTime> instant, List<Duplicate> repaired) {
    public Result {
      requireNonNull(instant, "instant");
      repaired = List.copyOf(repaired);
    }
  }

  /**
   * Repairs all duplicate keys, or a million of them.
   *
   * @throws HudiTableException if a job writes the table, or file groups are planned to be
   *     compacted or clustered: then nothing was changed
   * @throws IOException if it is not known whether it is done; call again
   */
  public Result repair(KeyScope scope) throws IOException {
    return writer.run((commit, lease) -> repair(scope, commit, lease));
  }

  private Result repair(KeyScope scope, TableCommit commit, WriterLease lease) throws IOException {
    HudiTable table = HudiTable.open(storage);
    table.requireNamesStay();
    DuplicateKeys.Step step = beating(lease);
    List<Duplicate> duplicates = DuplicateKeys.watched(table, scope, step).find(KEYS_PER_COMMIT);
    if (duplicates.isEmpty()) {
      return new Result(Optional.empty(), List.of());
    }
    Map<FileGroupId, Map<Long, String>> dropped = new TreeMap<>();
    for (Duplicate duplicate : duplicates) {
      for (Place place : duplicate.dropped()) {
        dropped
            .computeIfAbsent(place.group(), group -> new HashMap<>())
            .put(place.position(), duplicate.recordKey());
      }
    }
    requireIdle(table, dropped.keySet());
    Map<FileGroupId, ScanSplit> splits = splits(table, dropped.keySet());
    InstantTime instant = commit.begin(Action.COMMIT);
    CommitMetadata metadata;
    try {
      List<WriteStat> stats = new ArrayList<>();
      for (Map.Entry<FileGroupId, Map<Long, String>> entry : dropped.entrySet()) {
        ScanSplit split = splits.get(entry.getKey());
        stats.add(rewrite(table, split, entry.getValue(), instant, stats.size(), step));
      }
      requireUnchanged(table.refresh(), splits);
      lease.beat();
      metadata =
          new CommitMetadata(
              stats,
              true,
              Map.of(CommitMetadata.SCHEMA, table.avroSchema().toString()),
              CommitMetadata.COMPACT,
              Map.of());
    } catch (IOException | RuntimeException | Error e) {
      giveUp(commit, instant, e);
      throw e;
    }
    return switch (commit.commit(instant, metadata)) {
      case COMMITTED -> new Result(Optional.of(instant), duplicates);
      case REFUSED ->
          throw new IOException(
              "The repair %s of the table at '%s' was rolled back by another process; nothing was changed. Call again."
                  .formatted(instant, storage.location()));
      case UNKNOWN ->
          throw new IOException(
              "It is not known whether the repair %s of the table at '%s' is committed; call again"
                  .formatted(instant, storage.location()));
    };
  }

  private static DuplicateKeys.Step beating(WriterLease lease) {
    long[] last = {System.nanoTime()};
    return () -> {
      if (System.nanoTime() - last[0] > BEAT_NANOS) {
        lease.beat();
        last[0] = System.nanoTime();
      }
    };
  }

  private static void giveUp(TableCommit commit, InstantTime instant, Throwable cause) {
    try {
      commit.rollBack(instant);
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private void requireIdle(HudiTable table, Set<FileGroupId> groups) throws IOException {
    Set<FileGroupId> busy = BusyGroups.of(table.timeline(), table.timelineStore());
    for (FileGroupId group : groups) {
      if (busy.contains(group)) {
        throw new HudiTableException(
            "File group %s of the table at '%s' has duplicate keys, and is planned to be compacted or clustered, which would bring them back. Execute the plans first: call compact and cluster."
                .formatted(group, storage.location()));
      }
    }
  }

  private static Map<FileGroupId, ScanSplit> splits(HudiTable table, Set<FileGroupId> groups)
      throws IOException {
    Set<String> partitions = new HashSet<>();
    groups.forEach(group -> partitions.add(group.partitionPath()));
    Map<FileGroupId, ScanSplit> splits = new HashMap<>();
    for (ScanSplit split : new ScanPlanner(partitions::contains).snapshot(table)) {
      if (groups.contains(split.groupId())) {
        splits.put(split.groupId(), split);
      }
    }
    return splits;
  }

  /** Writers that take no lease, or a service, may have been at the same file groups. */
  private void requireUnchanged(HudiTable now, Map<FileGroupId, ScanSplit> read)
      throws IOException {
    requireIdle(now, read.keySet());
    Map<FileGroupId, ScanSplit> current = splits(now, read.keySet());
    for (Map.Entry<FileGroupId, ScanSplit> entry : read.entrySet()) {
      ScanSplit split = current.get(entry.getKey());
      if (split == null || !split.slice().equals(entry.getValue().slice())) {
        throw new HudiTableException(
            "File group %s of the table at '%s' was written while its duplicate keys were repaired; nothing was changed. Stop all writers, and call again."
                .formatted(entry.getKey(), storage.location()));
      }
    }
  }

  /** The same rows but some. */
  private WriteStat rewrite(
      HudiTable table,
      ScanSplit split,
      Map<Long, String> dropped,
      InstantTime instant,
      int number,
      DuplicateKeys.Step step)
      throws IOException {
    FileSlice slice = split.slice();
    FileGroupId group = slice.groupId();
    BaseFileName name = new BaseFileName(group.fileId(), "0-0-" + number, instant);
    String path = group.pathOf(name.toString());
    new WriteMarkers(storage, instant)
        .add(
            number,
            List.of(
                new WriteMarkers.Marker(
                    path,
                    slice.baseFile().isPresent()
                        ? WriteMarkers.IoType.MERGE
                        : WriteMarkers.IoType.CREATE)));
    RowType ofTable = table.schema().rowType();
    RowType rowType = AvroSchemas.withMetaColumns(ofTable);
    BaseFileWriter file =
        BaseFileWriter.create(
                storage,
                path,
                rowType,
                AvroSchemas.toAvroWithMeta(ofTable, table.config().tableName()).toString(),
                settings)
            .withFileName(name.toString());
    try (FileSliceReader reader =
        FileSliceReader.openWithOrdering(
            table.readContext(), slice, split.blocks(), new RowSelection.Live(), rowType)) {
      int keyColumn = rowType.getFieldIndex(MetaColumns.RECORD_KEY);
      Map<Long, String> left = new HashMap<>(dropped);
      long position = 0;
      for (RowData row = reader.next(); row != null; row = reader.next(), position++) {
        step.passed();
        String key = left.remove(position);
        if (key == null) {
          file.write(row);
        } else if (!row.getString(keyColumn).toString().equals(key)) {
          throw new IOException(
              "Row %d of file group %s has key '%s' and had '%s' before"
                  .formatted(position, group, row.getString(keyColumn), key));
        }
      }
      if (!left.isEmpty()) {
        throw new IOException(
            "File group %s has %d rows, fewer than before".formatted(group, position));
      }
      file.close();
    } catch (IOException | RuntimeException | Error e) {
      file.abort();
      throw e;
    }
    return WriteStat.ofCompactedFile(
        group.fileId().value(),
        group.partitionPath(),
        name.toString(),
        slice.baseInstant(),
        slice.baseFile().map(BaseFile::name).map(Object::toString).orElse(""),
        file.rowCount(),
        file.fileSizeBytes(),
        new WriteStat.CompactedLogs(slice.logFiles().size(), slice.logBytes()));
  }
}
