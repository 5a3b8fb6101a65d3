package io.hudilite.core.history;

import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.log.CorruptLogException;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.log.LogReader;
import io.hudilite.core.log.RecordCursor;
import io.hudilite.core.log.SchemaCache;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The archived timeline of a table of version 6: log files, of which each record tells one state of
 * an instant, and since Hudi 0.14 when it came about. Files are read newest first, when they are
 * needed, and what they say is kept. Not safe for use by several threads. Source: Hudi 0.15.0
 * HoodieArchivedTimeline, HoodieArchivedMetaEntry.avsc.
 */
final class OldArchive {
  private static final Pattern FILE = Pattern.compile("\\.commits_\\.archive\\.(\\d{1,9})(_.*)?");
  private static final Set<String> WRITES = Set.of("commit", "deltacommit", "replacecommit");
  private static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE
          },
          new String[] {"commitTime", "actionType", "actionState", "stateTransitionTime"});

  /**
   * What a file says.
   *
   * @param completed completion times of writes by their requested times
   * @param hasUnknown whether there are writes of which it does not tell when they completed
   */
  private record Content(Map<InstantTime, InstantTime> completed, boolean hasUnknown) {}

  private final Storage storage;
  private final String folder;
  private final SchemaCache schemas = new SchemaCache();
  private final Map<String, Content> contents = new HashMap<>();
  @Nullable private List<StoredFile> files;

  OldArchive(Storage storage, String folder) {
    this.storage = storage;
    this.folder = folder;
  }

  /** Empty if nothing tells it. */
  Optional<InstantTime> completionTimeOf(InstantTime requested) throws IOException {
    for (StoredFile file : files()) {
      InstantTime completed = contentOf(file).completed.get(requested);
      if (completed != null) {
        return Optional.of(completed);
      }
    }
    return Optional.empty();
  }

  /** Whether there are writes that completed after a position, or may have. */
  boolean mayHaveWritesAfter(InstantTime position) throws IOException {
    for (StoredFile file : files()) {
      Content content = contentOf(file);
      if (content.hasUnknown
          || content.completed.values().stream().anyMatch(time -> time.isAfter(position))) {
        return true;
      }
    }
    return false;
  }

  /** The newest first. */
  private List<StoredFile> files() throws IOException {
    if (files == null) {
      List<StoredFile> found = new ArrayList<>(storage.list(folder));
      found.removeIf(file -> file.isFolder() || !FILE.matcher(file.name()).matches());
      found.sort(Comparator.comparingInt(OldArchive::numberOf).reversed());
      files = found;
    }
    return files;
  }

  private static int numberOf(StoredFile file) {
    Matcher name = FILE.matcher(file.name());
    return name.matches() ? Integer.parseInt(name.group(1)) : -1;
  }

  private Content contentOf(StoredFile file) throws IOException {
    Content known = contents.get(file.name());
    if (known == null) {
      known = read(file);
      contents.put(file.name(), known);
    }
    return known;
  }

  /** A file that cannot be understood may tell of anything. */
  private Content read(StoredFile file) throws IOException {
    Map<InstantTime, InstantTime> completed = new HashMap<>();
    boolean hasUnknown = false;
    try (LogReader reader =
        LogReader.openOfArchive(storage, folder + "/" + file.name(), file.length(), schemas)) {
      for (LogBlock block = reader.next(); block != null; block = reader.next()) {
        if (block instanceof LogBlock.Data data) {
          hasUnknown |= read(data, completed);
        }
      }
    } catch (CorruptLogException | MalformedAvroException e) {
      hasUnknown = true;
    }
    return new Content(completed, hasUnknown);
  }

  private static boolean read(LogBlock.Data block, Map<InstantTime, InstantTime> completed)
      throws IOException {
    boolean hasUnknown = false;
    AvroRowDecoder decoder = AvroRowDecoder.create(block.schema(), COLUMNS);
    RecordCursor records = block.records();
    while (records.next()) {
      RowData row = decoder.decode(records.bytes(), records.offset(), records.length());
      Optional<InstantTime> requested = timeOf(row, 0);
      if (requested.isEmpty() || row.isNullAt(1) || !WRITES.contains(row.getString(1).toString())) {
        continue;
      }
      if (row.isNullAt(2) || row.getString(2).toString().equals("COMPLETED")) {
        timeOf(row, 3).ifPresent(time -> completed.put(requested.get(), time));
        hasUnknown |= timeOf(row, 3).isEmpty();
      }
    }
    return hasUnknown;
  }

  private static Optional<InstantTime> timeOf(RowData row, int column) {
    String text = row.isNullAt(column) ? "" : row.getString(column).toString();
    return text.matches("\\d{14,20}") ? Optional.of(new InstantTime(text)) : Optional.empty();
  }
}
