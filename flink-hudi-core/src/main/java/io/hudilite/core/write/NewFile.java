package io.hudilite.core.write;

import io.hudilite.core.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets rid of files that were begun and given up. */
final class NewFile {
  private static final Logger LOG = LoggerFactory.getLogger(NewFile.class);

  private NewFile() {}

  /**
   * Closes and deletes. What cannot be deleted is left: it has a marker, and its instant does not
   * name it, so that nobody reads it.
   */
  static void giveUp(Storage storage, String path, Closeable writer) {
    try {
      writer.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} could not be closed when it was given up", path, e);
    }
    try {
      storage.delete(path);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} was given up but could not be deleted; rollback will do it", path, e);
    }
  }
}
