package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * The markers of one instant: which data files it may leave. A writer adds a file's marker before
 * the file. Source: Hudi 1.0.2 TimelineServerBasedWriteMarkers and DirectWriteMarkers.
 */
public final class WriteMarkers {
  private final Storage storage;
  private final InstantTime instant;

  public WriteMarkers(Storage storage, InstantTime instant) {
    this.storage = requireNonNull(storage, "storage");
    this.instant = requireNonNull(instant, "instant");
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
  }

  /**
   * Marks the files of one flush.
   *
   * @param number distinct for each writer, attempt and flush of the instant; not negative
   */
  public void add(long number, List<Marker> markers) throws IOException {
    throw new UnsupportedOperationException(storage.location() + instant);
  }

  /** Whether the instant has a marker folder, so that {@link #paths} is all that it may have. */
  public boolean exist() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** All marked files, of both layouts. */
  public Set<String> paths() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Deletes the marker folder. */
  public void delete() throws IOException {
    throw new UnsupportedOperationException();
  }
}
