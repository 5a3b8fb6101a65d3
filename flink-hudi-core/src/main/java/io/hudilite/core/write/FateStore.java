package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The fates of the newest instants, one file each. Of all that want to decide about an instant,
 * only one creates its file; the others read it and follow. Other engines never look here.
 */
final class FateStore {
  private static final String FOLDER = ".hoodie/.hudi-lite/fate";
  private static final Pattern NAME = Pattern.compile("\\d{14,20}");

  /**
   * How many stay. The longer they do, the longer a writer that was cut off may dream of an instant
   * without a look at the timeline being needed.
   */
  static final int KEPT = 20;

  private final Storage storage;

  FateStore(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  /**
   * Decides about an instant, unless that is done already.
   *
   * @return what counts from now on: {@code wanted}, or what another one decided
   * @throws IOException if it is unknown whether and how it is decided
   */
  Fate decide(InstantTime instant, Fate wanted) throws IOException {
    try {
      storage.createNew(pathOf(instant), wanted.encode());
      return wanted;
    } catch (FileAlreadyExistsException e) {
      return read(instant);
    } catch (IOException unknown) {
      Optional<Fate> there;
      try {
        there = find(instant);
      } catch (IOException e) {
        unknown.addSuppressed(e);
        throw unknown;
      }
      if (there.isEmpty()) {
        throw unknown;
      }
      return there.get();
    }
  }

  /**
   * Decides anew about an instant that was committed, by whatever engine and however long ago: its
   * fate may be forgotten, or never have had a file. For who holds the table alone.
   */
  void replace(InstantTime instant, Fate fate) throws IOException {
    while (true) {
      try {
        storage.createNew(pathOf(instant), fate.encode());
        return;
      } catch (FileAlreadyExistsException e) {
        storage.delete(pathOf(instant));
      }
    }
  }

  /** Empty if it is not decided, or so long ago that it was forgotten. */
  Optional<Fate> find(InstantTime instant) throws IOException {
    try {
      return Optional.of(read(instant));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** The instants whose fates are kept, sorted. */
  List<InstantTime> instants() throws IOException {
    List<InstantTime> instants = new ArrayList<>();
    for (StoredFile file : storage.list(FOLDER)) {
      if (!file.isFolder() && NAME.matcher(file.name()).matches()) {
        instants.add(new InstantTime(file.name()));
      }
    }
    instants.sort(null);
    return instants;
  }

  /** For a decision that came too late to be one. */
  void forget(InstantTime instant) throws IOException {
    storage.delete(pathOf(instant));
  }

  /** Deletes old fates whose instants are no longer pending: the timeline tells of them now. */
  void forgetOld(List<InstantTime> known, Timeline timeline) throws IOException {
    for (InstantTime instant : known.subList(0, Math.max(0, known.size() - KEPT))) {
      if (timeline.pending(instant).isEmpty()) {
        forget(instant);
      }
    }
  }

  private Fate read(InstantTime instant) throws IOException {
    String path = pathOf(instant);
    return Fate.decode(storage.read(path), storage.location() + "/" + path);
  }

  static String pathOf(InstantTime instant) {
    return FOLDER + "/" + instant;
  }
}
