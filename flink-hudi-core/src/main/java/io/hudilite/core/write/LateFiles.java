package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.CRC32;

/**
 * Files that an attempt of a writer, long given up but not dead, makes after its instant was
 * decided. Readers go by the time in a file's name, so such a file of a committed instant is
 * visible; and one of an instant that was rolled back becomes so when the timeline begins after it.
 * The writer looks after each flush and takes its files back; this is for one that dies before.
 *
 * <p>Every file has a marker before it is made. What had one and was no part of its instant is
 * written down when the markers go, and deleted again and again for some commits:
 *
 * <pre>
 * .hoodie/.hudi-lite/late/t.c    one path in a line; c is a checksum of them
 * </pre>
 *
 * Markers that were made after the decision are found, too. Not safe for use by several threads.
 */
final class LateFiles {
  private static final String FOLDER = ".hoodie/.hudi-lite/late";
  private static final String MARKERS = ".hoodie/.temp";

  /** For how many rounds of a process files are looked for. */
  static final int ROUNDS = 10;

  private final Storage storage;
  private final TimelineStore timelines;
  private final Map<String, Integer> rounds = new HashMap<>();

  LateFiles(Storage storage, TimelineStore timelines) {
    this.storage = requireNonNull(storage, "storage");
    this.timelines = requireNonNull(timelines, "timelines");
  }

  /** Writes down what may yet be made. */
  void expect(InstantTime instant, Collection<String> paths) throws IOException {
    if (paths.isEmpty()) {
      return;
    }
    byte[] content =
        String.join("\n", new TreeSet<>(paths)).concat("\n").getBytes(StandardCharsets.UTF_8);
    CRC32 checksum = new CRC32();
    checksum.update(content);
    try {
      storage.createNew("%s/%s.%08x".formatted(FOLDER, instant, checksum.getValue()), content);
    } catch (FileAlreadyExistsException e) {
      // Written down before.
    }
  }

  /** One round: deletes what was made since the last one. Two listings if there is nothing. */
  void sweep() throws IOException {
    sweepMarkers();
    List<StoredFile> records = storage.list(FOLDER);
    rounds.keySet().removeIf(name -> records.stream().noneMatch(r -> r.name().equals(name)));
    for (StoredFile record : records) {
      String path = FOLDER + "/" + record.name();
      InstantFiles files =
          new InstantFiles(storage, new InstantTime(record.name().replaceFirst("\\..*", "")));
      try {
        for (String late :
            new String(storage.read(path), StandardCharsets.UTF_8).lines().toList()) {
          if (files.isNamedAfterInstant(late.substring(late.lastIndexOf('/') + 1))) {
            storage.delete(late);
          }
        }
      } catch (NoSuchFileException e) {
        continue; // another process was faster
      }
      if (rounds.merge(record.name(), 1, Integer::sum) >= ROUNDS) {
        storage.delete(path);
      }
    }
  }

  /** Markers of instants that are decided: left over by a crash, or made too late. */
  void sweepMarkers() throws IOException {
    List<InstantTime> marked = new ArrayList<>();
    for (StoredFile folder : storage.list(MARKERS)) {
      if (folder.isFolder() && folder.name().matches("\\d{14,20}")) {
        marked.add(new InstantTime(folder.name()));
      }
    }
    if (marked.isEmpty()) {
      return;
    }
    // Read after the folders: an instant is on the timeline before it has one.
    Timeline timeline = timelines.load();
    for (InstantTime instant : marked) {
      Optional<Instant.Completed> completed = timeline.completedWrite(instant);
      boolean isGone =
          completed.isEmpty()
              && timeline.pending(instant).isEmpty()
              && !timeline.isBeforeStart(instant);
      if (completed.isPresent() || isGone) {
        WriteMarkers markers = new WriteMarkers(storage, instant);
        Set<String> late = new TreeSet<>(markers.paths());
        if (completed.isPresent()) {
          late.removeAll(TableCommit.pathsOf(timelines.readCommit(completed.get())));
        }
        expect(instant, late);
        markers.delete();
      }
    }
  }
}
