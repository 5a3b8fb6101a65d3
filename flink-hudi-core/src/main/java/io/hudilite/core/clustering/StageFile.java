package io.hudilite.core.clustering;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/**
 * Says how far the execution of a clustering is, for writers of the table.
 *
 * <p>A writer that sees it <em>announced</em> keeps rows of its file groups back as long as it can.
 * <em>Closing</em> is created before the execution looks who writes to its file groups; writers
 * look for it after they have marked the files that they will write. So one of both sees the other:
 * the execution leaves the group out, or the writer waits.
 *
 * <pre>
 * .hoodie/.hudi-lite/clustering/k/announced     empty
 * .hoodie/.hudi-lite/clustering/k/closing       empty
 * </pre>
 */
final class StageFile {
  private final Storage storage;
  private final String path;

  private StageFile(Storage storage, InstantTime plan, String name) {
    this.storage = storage;
    this.path = ".hoodie/.hudi-lite/clustering/" + plan + "/" + name;
  }

  static StageFile announced(Storage storage, InstantTime plan) {
    return new StageFile(storage, plan, "announced");
  }

  static StageFile closing(Storage storage, InstantTime plan) {
    return new StageFile(storage, plan, "closing");
  }

  void create() throws IOException {
    try {
      storage.createNew(path, new byte[0]);
    } catch (FileAlreadyExistsException e) {
      // By an earlier try.
    }
  }

  boolean exists() throws IOException {
    return storage.exists(path);
  }

  void delete() throws IOException {
    storage.delete(path);
  }
}
