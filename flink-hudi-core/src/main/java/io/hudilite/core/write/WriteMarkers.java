package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The markers of one instant: which data files it may leave. A writer adds a file's marker before
 * the file. Written as one file for each flush; Hudi's marker file for each data file is read too.
 * Source: Hudi 1.0.2 TimelineServerBasedWriteMarkers and DirectWriteMarkers.
 *
 * <pre>
 * .hoodie/.temp/t/MARKERS.type    "TIMELINE_SERVER_BASED"
 * .hoodie/.temp/t/MARKERS7        lines: dt=1/file.parquet.marker.CREATE
 * .hoodie/.temp/t/dt=1/file.parquet.marker.CREATE     the other layout: an empty file
 * </pre>
 */
public final class WriteMarkers {
  private static final String SUFFIX = ".marker.";
  private static final String LIST_PREFIX = "MARKERS";
  private static final String TYPE_NAME = "MARKERS.type";
  private static final byte[] TYPE = "TIMELINE_SERVER_BASED".getBytes(StandardCharsets.UTF_8);

  private final Storage storage;
  private final InstantTime instant;
  private final String folder;

  public WriteMarkers(Storage storage, InstantTime instant) {
    this.storage = requireNonNull(storage, "storage");
    this.instant = requireNonNull(instant, "instant");
    this.folder = ".hoodie/.temp/" + instant;
  }

  /** What happens to a marked file. */
  public enum IoType {
    /** The first base file of a group, or a log file. */
    CREATE,
    /** A new version of a base file. */
    MERGE,
    /** Table version 6: blocks added to a log file. */
    APPEND
  }

  /** A file that may be written. The path is relative to the base path. */
  public record Marker(String path, IoType ioType) {
    public Marker {
      requireNonNull(path, "path");
      requireNonNull(ioType, "ioType");
    }

    String line() {
      return path + SUFFIX + ioType;
    }
  }

  /** Makes the folder, so that an instant without files is known to have none. */
  public void begin() throws IOException {
    createOnce(folder + "/" + TYPE_NAME, TYPE);
  }

  /**
   * Marks the files of one flush; may be repeated after a failure.
   *
   * @param number distinct for each writer, attempt and flush of the instant; not negative
   * @throws FileAlreadyExistsException if the number was used for other files
   */
  public void add(long number, List<Marker> markers) throws IOException {
    if (number < 0) {
      throw new IllegalArgumentException("Marker numbers start at 0, got " + number);
    }
    String lines = markers.stream().map(Marker::line).collect(Collectors.joining("\n", "", "\n"));
    createOnce(folder + "/" + LIST_PREFIX + number, lines.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Whether nobody has decided about the instant yet. A writer asks after each flush: what it wrote
   * since was not reported yet, and so is no part of the instant if that is decided; it then takes
   * the files back.
   */
  public boolean areOpen() throws IOException {
    return storage.exists(folder + "/" + TYPE_NAME) && !storage.exists(FateStore.pathOf(instant));
  }

  /** Whether the instant has a marker folder, so that {@link #paths} is all that it may have. */
  public boolean exist() throws IOException {
    return !storage.list(folder).isEmpty();
  }

  /** The paths of all marked files, relative to the base path, of both layouts. */
  public Set<String> paths() throws IOException {
    Set<String> paths = new TreeSet<>();
    for (StoredFile entry : storage.list(folder)) {
      if (entry.isFolder()) {
        addDirectMarkers(entry.name(), paths);
      } else if (entry.name().startsWith(LIST_PREFIX)) {
        if (!entry.name().equals(TYPE_NAME)) {
          readList(folder + "/" + entry.name()).lines().forEach(line -> addPath(line, paths));
        }
      } else {
        addPath(entry.name(), paths);
      }
    }
    return paths;
  }

  /** Deletes the marker folder. */
  public void delete() throws IOException {
    storage.deleteFolder(folder);
  }

  private String readList(String path) throws IOException {
    try {
      return new String(storage.read(path), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      // Another process came to the end that was decided, and removed the folder after the files.
      return "";
    }
  }

  private void addDirectMarkers(String below, Set<String> paths) throws IOException {
    for (StoredFile entry : storage.list(folder + "/" + below)) {
      String path = below + "/" + entry.name();
      if (entry.isFolder()) {
        addDirectMarkers(path, paths);
      } else {
        addPath(path, paths);
      }
    }
  }

  /** A line without a suffix was torn, and then its file was not begun. */
  private static void addPath(String marker, Set<String> paths) {
    int suffix = marker.lastIndexOf(SUFFIX);
    if (suffix > 0) {
      paths.add(marker.substring(0, suffix));
    }
  }

  private void createOnce(String path, byte[] content) throws IOException {
    try {
      storage.createNew(path, content);
    } catch (FileAlreadyExistsException e) {
      if (!Arrays.equals(storage.read(path), content)) {
        throw e;
      }
    }
  }
}
