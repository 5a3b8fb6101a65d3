package io.hudilite.core.history;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.history.TimelineHistory.Part;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Writes the archived timeline of a table of version 8: a tree of Parquet files whose list is a
 * manifest; a reader sees the old list or the new one. Source: Hudi 1.0.2 LSMTimelineWriter.
 *
 * <pre>
 * 1. (min)_(max)_0.parquet      the instants
 * 2. manifest_(n+1)             the old list and the new file
 * 3. _version_ := n+1
 * </pre>
 *
 * Ten files of a level become one of the next. Not safe for use by several threads.
 */
public final class HistoryStore {
  private static final int FILES_OF_A_LEVEL = 10;
  private static final int KEPT_MANIFESTS = 3;

  /** Merging stops beyond it. */
  private static final long LARGEST_MERGE_BYTES = 1L << 30;

  private static final RowType COLUMNS =
      RowType.of(
          new LogicalType[] {
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            VarCharType.STRING_TYPE,
            new VarBinaryType(VarBinaryType.MAX_LENGTH),
            new VarBinaryType(VarBinaryType.MAX_LENGTH),
            new IntType(false)
          },
          new String[] {"instantTime", "completionTime", "action", "metadata", "plan", "version"});

  private static final String SCHEMA =
      "{\"type\":\"record\",\"name\":\"HoodieLSMTimelineInstant\","
          + "\"namespace\":\"org.apache.hudi.avro.model\",\"fields\":["
          + nullable("instantTime", "{\"type\":\"string\",\"avro.java.string\":\"String\"}")
          + nullable("completionTime", "{\"type\":\"string\",\"avro.java.string\":\"String\"}")
          + nullable("action", "{\"type\":\"string\",\"avro.java.string\":\"String\"}")
          + nullable("metadata", "\"bytes\"")
          + nullable("plan", "\"bytes\"")
          + "{\"name\":\"version\",\"type\":\"int\",\"default\":1}]}";

  private final Storage storage;
  private final TableConfig config;
  private final String folder;
  private final ObjectMapper json = new ObjectMapper();

  public HistoryStore(Storage storage, TableConfig config) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.folder = config.historyPath();
  }

  private static String nullable(String name, String type) {
    return "{\"name\":\"%s\",\"type\":[\"null\",%s],\"default\":null},".formatted(name, type);
  }

  /** One list of files. */
  private record Manifest(int number, List<Part> parts) {}

  private Manifest newest() throws IOException {
    TimelineHistory history = TimelineHistory.of(storage, config);
    OptionalInt number = history.newestManifest();
    return number.isEmpty()
        ? new Manifest(0, List.of())
        : new Manifest(number.getAsInt(), history.parts(folder + "/manifest_" + number.getAsInt()));
  }

  /**
   * Adds instants, but for those that are there: a crash may have left them on both timelines.
   *
   * @param instants not empty
   * @throws IOException if it is not known whether they are there; call again
   */
  public void add(List<ArchivedInstant> instants) throws IOException {
    Manifest before = adoptUnfinished(newest());
    Map<String, ArchivedInstant> missing = new TreeMap<>();
    instants.forEach(instant -> missing.put(instant.id(), instant));
    InstantTime first = instants.get(0).requestedTime();
    for (ArchivedInstant instant : instants) {
      first = instant.requestedTime().isBefore(first) ? instant.requestedTime() : first;
    }
    for (Part part : before.parts) {
      if (!part.last().isBefore(first)) {
        for (ArchivedInstant known : read(part)) {
          missing.remove(known.id());
        }
      }
    }
    if (!missing.isEmpty()) {
      Part part = write(new ArrayList<>(missing.values()), 0);
      List<Part> parts = new ArrayList<>(before.parts);
      parts.add(part);
      publish(before.number + 1, parts);
    }
  }

  /** A manifest that was made and not published: its files are whole, so it counts. */
  private Manifest adoptUnfinished(Manifest newest) throws IOException {
    String next = folder + "/manifest_" + (newest.number + 1);
    if (!storage.exists(next)) {
      return newest;
    }
    List<Part> parts = TimelineHistory.of(storage, config).parts(next);
    setVersion(newest.number + 1);
    return new Manifest(newest.number + 1, parts);
  }

  /**
   * Merges files of levels that have ten, and deletes manifests and files that nobody reads any
   * more.
   */
  public void compact() throws IOException {
    Manifest manifest = adoptUnfinished(newest());
    for (int level = 0; level < 9; level++) {
      int current = level;
      List<Part> ofLevel =
          manifest.parts.stream()
              .filter(part -> levelOf(part) == current)
              .sorted(Comparator.comparing(Part::name))
              .toList();
      if (ofLevel.size() >= FILES_OF_A_LEVEL) {
        manifest = merge(manifest, ofLevel.subList(0, FILES_OF_A_LEVEL), level + 1);
      }
    }
    deleteUnused(manifest.number);
  }

  private static int levelOf(Part part) {
    String name = part.name();
    return Integer.parseInt(
        name.substring(name.lastIndexOf('_') + 1, name.length() - ".parquet".length()));
  }

  private Manifest merge(Manifest before, List<Part> candidates, int level) throws IOException {
    List<Part> merged = new ArrayList<>();
    List<ArchivedInstant> instants = new ArrayList<>();
    long bytes = 0;
    for (Part part : candidates) {
      if (bytes > 0 && bytes + part.lengthBytes() > LARGEST_MERGE_BYTES) {
        break;
      }
      bytes += part.lengthBytes();
      merged.add(part);
      instants.addAll(read(part));
    }
    List<Part> parts = new ArrayList<>(before.parts);
    parts.removeAll(merged);
    parts.add(write(instants, level));
    publish(before.number + 1, parts);
    return new Manifest(before.number + 1, parts);
  }

  private Part write(List<ArchivedInstant> instants, int level) throws IOException {
    List<ArchivedInstant> sorted = new ArrayList<>(instants);
    sorted.sort(
        Comparator.comparing(ArchivedInstant::requestedTime)
            .thenComparing(ArchivedInstant::action));
    InstantTime first = sorted.get(0).requestedTime();
    InstantTime last = sorted.get(sorted.size() - 1).requestedTime();
    String name = "%s_%s_%d.parquet".formatted(first, last, level);
    String path = folder + "/" + name;
    BaseFileWriter writer;
    try {
      writer = BaseFileWriter.create(storage, path, COLUMNS, SCHEMA, BaseFileSettings.DEFAULT);
    } catch (FileAlreadyExistsException e) {
      // Torn, or whole and in no manifest: an earlier try died.
      storage.delete(path);
      writer = BaseFileWriter.create(storage, path, COLUMNS, SCHEMA, BaseFileSettings.DEFAULT);
    }
    try {
      for (ArchivedInstant instant : sorted) {
        writer.write(
            GenericRowData.of(
                StringData.fromString(instant.requestedTime().digits()),
                StringData.fromString(instant.completionTime().digits()),
                StringData.fromString(instant.action()),
                instant.metadata(),
                instant.plan().length == 0 ? null : instant.plan(),
                1));
      }
      writer.close();
    } catch (IOException | RuntimeException e) {
      writer.abort();
      throw e;
    }
    return new Part(name, writer.fileSizeBytes(), first, last);
  }

  private List<ArchivedInstant> read(Part part) throws IOException {
    List<ArchivedInstant> instants = new ArrayList<>();
    try (BaseFileReader reader =
        BaseFileReader.open(storage, folder + "/" + part.name(), COLUMNS)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        InstantTime requested = new InstantTime(row.getString(0).toString());
        instants.add(
            new ArchivedInstant(
                requested,
                row.isNullAt(1) ? requested : new InstantTime(row.getString(1).toString()),
                row.getString(2).toString(),
                row.isNullAt(3) ? new byte[0] : row.getBinary(3).clone(),
                row.isNullAt(4) ? new byte[0] : row.getBinary(4).clone()));
      }
    }
    return instants;
  }

  private void publish(int number, List<Part> parts) throws IOException {
    ObjectNode root = json.createObjectNode();
    ArrayNode files = root.putArray("files");
    parts.stream()
        .sorted(Comparator.comparing(Part::name))
        .forEach(
            part ->
                files.addObject().put("fileName", part.name()).put("fileLen", part.lengthBytes()));
    storage.createNew(
        folder + "/manifest_" + number,
        json.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
    setVersion(number);
  }

  /** While it is missing, readers take the greatest manifest. */
  private void setVersion(int number) throws IOException {
    String path = folder + "/_version_";
    storage.delete(path);
    storage.createNew(path, Integer.toString(number).getBytes(StandardCharsets.UTF_8));
  }

  private void deleteUnused(int newest) throws IOException {
    Set<String> used = new HashSet<>();
    TimelineHistory history = TimelineHistory.of(storage, config);
    for (int number = Math.max(1, newest - KEPT_MANIFESTS + 1); number <= newest; number++) {
      String manifest = "manifest_" + number;
      if (storage.exists(folder + "/" + manifest)) {
        used.add(manifest);
        history.parts(folder + "/" + manifest).forEach(part -> used.add(part.name()));
      }
    }
    for (StoredFile file : storage.list(folder)) {
      boolean isOurs =
          file.name().matches("manifest_\\d{1,9}")
              || file.name().matches("\\d{14,17}_\\d{14,17}_\\d\\.parquet");
      if (!file.isFolder() && isOurs && !used.contains(file.name())) {
        storage.delete(folder + "/" + file.name());
      }
    }
  }
}
