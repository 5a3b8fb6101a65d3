package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/** The data files that one instant may have left. In table version 8 their names carry it. */
final class InstantFiles {
  private static final String CHANGE_FILE_SUFFIX = ".cdc";

  private final Storage storage;
  private final InstantTime instant;

  InstantFiles(Storage storage, InstantTime instant) {
    this.storage = requireNonNull(storage, "storage");
    this.instant = requireNonNull(instant, "instant");
  }

  /**
   * Paths relative to the base path: from the markers, or, where another writer left none, from a
   * listing of the whole table.
   */
  Set<String> paths() throws IOException {
    WriteMarkers markers = new WriteMarkers(storage, instant);
    Set<String> paths = new TreeSet<>();
    if (markers.exist()) {
      for (String path : markers.paths()) {
        if (isNamedAfterInstant(path.substring(path.lastIndexOf('/') + 1))) {
          paths.add(path);
        }
      }
    } else {
      collect("", paths);
    }
    return paths;
  }

  boolean isNamedAfterInstant(String fileName) {
    if (BaseFileName.parse(fileName).filter(name -> name.instant().equals(instant)).isPresent()) {
      return true;
    }
    String logName =
        fileName.endsWith(CHANGE_FILE_SUFFIX)
            ? fileName.substring(0, fileName.length() - CHANGE_FILE_SUFFIX.length())
            : fileName;
    return LogFileName.parse(logName).filter(name -> name.instant().equals(instant)).isPresent();
  }

  /** Also looks into folders that are no partitions yet: the writer died before it marked them. */
  private void collect(String folder, Set<String> paths) throws IOException {
    for (StoredFile entry : storage.list(folder)) {
      String path = folder.isEmpty() ? entry.name() : folder + "/" + entry.name();
      if (!entry.isFolder()) {
        if (isNamedAfterInstant(entry.name())) {
          paths.add(path);
        }
      } else if (!path.equals(".hoodie")) {
        collect(path, paths);
      }
    }
  }
}
