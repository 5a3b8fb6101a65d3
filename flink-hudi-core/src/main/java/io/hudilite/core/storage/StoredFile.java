package io.hudilite.core.storage;

import static java.util.Objects.requireNonNull;

/**
 * An entry of a listing.
 *
 * @param name last part of the path
 * @param length size in bytes, 0 for a folder
 * @param modificationMillis epoch milliseconds, 0 where the storage does not tell
 */
public record StoredFile(String name, long length, long modificationMillis, boolean isFolder) {
  public StoredFile {
    requireNonNull(name, "name");
  }
}
