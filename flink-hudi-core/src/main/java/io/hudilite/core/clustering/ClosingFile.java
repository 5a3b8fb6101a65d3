package io.hudilite.core.clustering;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;

/**
 * Says that a clustering is about to complete. It is created before the execution looks who writes
 * to its file groups; writers look for it after they have marked the files that they will write. So
 * one of both sees the other: the execution leaves the group out, or the writer waits.
 *
 * <pre>.hoodie/.hudi-lite/clustering/k/closing     empty</pre>
 */
final class ClosingFile {
  private final Storage storage;
  private final String path;

  ClosingFile(Storage storage, InstantTime plan) {
    this.storage = storage;
    this.path = ".hoodie/.hudi-lite/clustering/" + plan + "/closing";
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
