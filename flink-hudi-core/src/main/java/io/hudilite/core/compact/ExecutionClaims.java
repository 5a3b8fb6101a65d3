package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Who executes a plan. Each execution creates the next number; whoever has the greatest is the only
 * one whose files may come to stay. An execution that finds a greater number than its own has been
 * taken for dead, and gives up. Other engines never look here.
 *
 * <pre>.hoodie/.hudi-lite/compaction/k/3     content: the owner's words</pre>
 */
final class ExecutionClaims {
  private static final String FOLDER = ".hoodie/.hudi-lite/";

  private final Storage storage;
  private final String folder;

  ExecutionClaims(Storage storage, Action action, InstantTime plan) {
    this.storage = requireNonNull(storage, "storage");
    this.folder = FOLDER + action.word() + "/" + plan;
  }

  /** Number, owner, and when it was made. */
  record Claim(int number, String owner, long madeMillis) {}

  /** The claim that counts. */
  Optional<Claim> current() throws IOException {
    StoredFile newest = null;
    for (StoredFile file : storage.list(folder)) {
      if (!file.isFolder()
          && file.name().matches("[1-9]\\d{0,8}")
          && (newest == null || number(file) > number(newest))) {
        newest = file;
      }
    }
    if (newest == null) {
      return Optional.empty();
    }
    try {
      String owner = new String(storage.read(folder + "/" + newest.name()), StandardCharsets.UTF_8);
      return Optional.of(new Claim(number(newest), owner, newest.modificationMillis()));
    } catch (NoSuchFileException e) {
      return Optional.empty(); // the plan was completed meanwhile
    }
  }

  private static int number(StoredFile file) {
    return Integer.parseInt(file.name());
  }

  /**
   * Takes the place of the current claim.
   *
   * @return the number, or nothing if another process was quicker
   */
  OptionalInt takeOver(Optional<Claim> current, String owner) throws IOException {
    int number = current.map(Claim::number).orElse(0) + 1;
    try {
      storage.createNew(folder + "/" + number, owner.getBytes(StandardCharsets.UTF_8));
      return OptionalInt.of(number);
    } catch (FileAlreadyExistsException e) {
      return OptionalInt.empty();
    }
  }

  boolean isCurrent(int number) throws IOException {
    int newest = 0;
    for (StoredFile file : storage.list(folder)) {
      if (!file.isFolder() && file.name().matches("[1-9]\\d{0,8}")) {
        newest = Math.max(newest, number(file));
      }
    }
    return newest == number;
  }

  /** The plan is done with. */
  void forget() throws IOException {
    storage.deleteFolder(folder);
  }
}
