package io.hudilite.core.history;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.CorruptInstantException;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The writes that were archived, as they were when first asked for. The list of files is read with
 * the first question, a file with the first one that it may answer; both are kept. Safe for several
 * threads. Source: Hudi 1.0.2 ArchivedTimelineV2 and LSMTimeline.
 *
 * <pre>
 * _version_                          number n of the newest manifest; may be missing
 * manifest_n                         {"files": [{"fileName": ..., "fileLen": ...}, ...]}
 * (min)_(max)_(level).parquet        instants: instantTime, completionTime, action, ...
 * </pre>
 *
 * In version 6 the history is kept in another form: log files.
 */
public final class TimelineHistory {
  private static final Pattern MANIFEST = Pattern.compile("manifest_(\\d{1,9})");
  private static final Pattern FILE = Pattern.compile("(\\d{14,17})_(\\d{14,17})_\\d+\\.parquet");
  private static final Set<String> WRITES = Set.of("commit", "deltacommit", "replacecommit");
  private static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE, VarCharType.STRING_TYPE, VarCharType.STRING_TYPE
          },
          new String[] {"instantTime", "completionTime", "action"});

  /** Instants requested from the first to the last. */
  record Part(String name, long lengthBytes, InstantTime first, InstantTime last) {}

  private final Storage storage;
  private final String folder;
  @Nullable private final OldArchive oldArchive;
  private final Map<Part, Map<InstantTime, InstantTime>> completionTimes = new HashMap<>();
  private List<Part> parts;

  private TimelineHistory(Storage storage, TableConfig config) {
    this.storage = requireNonNull(storage, "storage");
    this.folder = config.historyPath();
    this.oldArchive = config.version() == TableVersion.SIX ? new OldArchive(storage, folder) : null;
  }

  /** Reads nothing yet. */
  public static TimelineHistory of(Storage storage, TableConfig config) {
    return new TimelineHistory(storage, config);
  }

  /** When an archived write completed; empty if it is not known here. */
  public synchronized Optional<InstantTime> completionTimeOf(InstantTime requested)
      throws IOException {
    if (oldArchive != null) {
      return oldArchive.completionTimeOf(requested);
    }
    for (Part part : parts()) {
      if (!requested.isBefore(part.first) && !requested.isAfter(part.last)) {
        InstantTime completed = writesOf(part).get(requested);
        if (completed != null) {
          return Optional.of(completed);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Whether writes were archived that completed after a position, or may have: Hudi before 0.14
   * kept no completion times.
   */
  public synchronized boolean mayHaveWritesAfter(InstantTime position) throws IOException {
    if (oldArchive != null) {
      return oldArchive.mayHaveWritesAfter(position);
    }
    List<Part> newestFirst = new ArrayList<>(parts());
    newestFirst.sort((a, b) -> b.last.compareTo(a.last));
    for (Part part : newestFirst) {
      for (InstantTime completed : writesOf(part).values()) {
        if (completed.isAfter(position)) {
          return true;
        }
      }
    }
    return false;
  }

  private List<Part> parts() throws IOException {
    if (parts == null) {
      OptionalInt newest = newestManifest();
      parts = newest.isEmpty() ? List.of() : parts(folder + "/manifest_" + newest.getAsInt());
    }
    return parts;
  }

  OptionalInt newestManifest() throws IOException {
    try {
      String text = new String(storage.read(folder + "/_version_"), StandardCharsets.UTF_8).strip();
      if (text.matches("\\d{1,9}")) {
        return OptionalInt.of(Integer.parseInt(text));
      }
    } catch (NoSuchFileException e) {
      // Being rewritten, or there is no history: the manifests tell.
    }
    return storage.list(folder).stream()
        .map(StoredFile::name)
        .map(MANIFEST::matcher)
        .filter(Matcher::matches)
        .mapToInt(name -> Integer.parseInt(name.group(1)))
        .max();
  }

  List<Part> parts(String manifest) throws IOException {
    JsonNode root;
    byte[] content = storage.read(manifest);
    try {
      root = new ObjectMapper().readTree(content);
    } catch (IOException e) {
      throw new CorruptInstantException(
          "%s/%s is no JSON: %s".formatted(storage.location(), manifest, e.getMessage()), e);
    }
    List<Part> found = new ArrayList<>();
    for (JsonNode file : root.path("files")) {
      String name = file.path("fileName").asText();
      Matcher match = FILE.matcher(name);
      if (!match.matches()) {
        throw new CorruptInstantException(
            "%s/%s names the file '%s', which is no part of a timeline's history"
                .formatted(storage.location(), manifest, name));
      }
      found.add(
          new Part(
              name,
              file.path("fileLen").asLong(),
              new InstantTime(match.group(1)),
              new InstantTime(match.group(2))));
    }
    return found;
  }

  private Map<InstantTime, InstantTime> writesOf(Part part) throws IOException {
    Map<InstantTime, InstantTime> known = completionTimes.get(part);
    if (known == null) {
      known = read(part);
      completionTimes.put(part, known);
    }
    return known;
  }

  private Map<InstantTime, InstantTime> read(Part part) throws IOException {
    Map<InstantTime, InstantTime> writes = new HashMap<>();
    String path = folder + "/" + part.name;
    try (BaseFileReader reader =
        part.lengthBytes > 0
            ? BaseFileReader.open(storage, path, part.lengthBytes, COLUMNS)
            : BaseFileReader.open(storage, path, COLUMNS)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        if (!row.isNullAt(0)
            && !row.isNullAt(1)
            && !row.isNullAt(2)
            && WRITES.contains(row.getString(2).toString())) {
          writes.put(
              new InstantTime(row.getString(0).toString()),
              new InstantTime(row.getString(1).toString()));
        }
      }
    }
    return writes;
  }
}
