package io.hudilite.core.lease;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of the leases of one table. The newest epoch counts; each claim removes the files of
 * older ones, so that there are never more than a few.
 *
 * <pre>
 * .hoodie/.hudi-lite/writer/7        who holds epoch 7
 * .hoodie/.hudi-lite/writer/7.beat   its last sign of life: a number that rises, or "released"
 * </pre>
 *
 * Needs a storage whose createNew is exclusive and whose listings show what is there. Safe for use
 * by several threads.
 */
final class LeaseStore {
  private static final String FOLDER = ".hoodie/.hudi-lite/writer";
  private static final Pattern NAME = Pattern.compile("(\\d{1,18})(?:\\.beat)?");
  private static final String RELEASED = "released";

  private final Storage storage;

  LeaseStore(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  /**
   * What can be seen of the newest lease.
   *
   * @param beat its last sign of life; empty if there was none yet, or it is being written
   */
  record Sight(long epoch, String beat) {
    boolean isReleased() {
      return beat.equals(RELEASED);
    }

    /** Whether the holder has shown a first sign of life. */
    boolean isReady() {
      return !beat.isEmpty() && !beat.equals("0");
    }
  }

  /** Empty if nobody ever wrote here. One listing and one small file. */
  Optional<Sight> newest() throws IOException {
    OptionalLong epoch = newestEpoch();
    return epoch.isEmpty()
        ? Optional.empty()
        : Optional.of(new Sight(epoch.getAsLong(), beatOf(epoch.getAsLong())));
  }

  /** Empty if nobody ever wrote here. One listing. */
  OptionalLong newestEpoch() throws IOException {
    return storage.list(FOLDER).stream()
        .filter(file -> !file.isFolder() && file.name().matches("\\d{1,18}"))
        .mapToLong(file -> Long.parseLong(file.name()))
        .max();
  }

  private String beatOf(long epoch) throws IOException {
    try {
      return new String(storage.read(beatPath(epoch)), StandardCharsets.UTF_8);
    } catch (NoSuchFileException e) {
      return "";
    }
  }

  /** Empty if the lease is gone by now. */
  Optional<LeaseHolder> holder(long epoch) throws IOException {
    String path = FOLDER + "/" + epoch;
    try {
      return Optional.of(LeaseHolder.decode(storage.read(path), storage.location() + "/" + path));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Takes an epoch.
   *
   * @return false if somebody else has it, or a newer one
   * @throws IOException if it is unknown
   */
  boolean claim(long epoch, LeaseHolder holder) throws IOException {
    byte[] content = holder.encode();
    String path = FOLDER + "/" + epoch;
    try {
      storage.createNew(path, content);
    } catch (FileAlreadyExistsException e) {
      return false;
    } catch (IOException unknown) {
      try {
        if (!Arrays.equals(storage.read(path), content)) {
          return false;
        }
      } catch (IOException e) {
        unknown.addSuppressed(e);
        throw unknown;
      }
    }
    // Who was very slow may have found the place of an old lease, whose file was removed.
    OptionalLong newest = newestEpoch();
    if (newest.isEmpty() || newest.getAsLong() != epoch) {
      storage.delete(path);
      return false;
    }
    // May be left of a place that was taken much too late.
    storage.delete(beatPath(epoch));
    storage.createNew(beatPath(epoch), text("0"));
    return true;
  }

  void removeOlder(long epoch) throws IOException {
    List<String> old = new ArrayList<>();
    for (StoredFile file : storage.list(FOLDER)) {
      Matcher name = NAME.matcher(file.name());
      if (!file.isFolder() && name.matches() && Long.parseLong(name.group(1)) < epoch) {
        old.add(file.name());
      }
    }
    for (String name : old) {
      storage.delete(FOLDER + "/" + name);
    }
  }

  /** Shows a sign of life. */
  void beat(long epoch, long number) throws IOException {
    storage.overwrite(beatPath(epoch), text(Long.toString(number)));
  }

  void release(long epoch) throws IOException {
    storage.overwrite(beatPath(epoch), text(RELEASED));
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String beatPath(long epoch) {
    return FOLDER + "/" + epoch + ".beat";
  }

  String location() {
    return storage.location();
  }
}
