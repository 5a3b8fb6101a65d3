package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Comparator;

/**
 * All versions of the files that hold one set of record keys.
 *
 * @param partitionPath relative to the base path, {@code ""} if the table is not partitioned
 */
public record FileGroupId(String partitionPath, FileId fileId)
    implements Comparable<FileGroupId>, Serializable {
  private static final Comparator<FileGroupId> ORDER =
      Comparator.comparing(FileGroupId::partitionPath).thenComparing(FileGroupId::fileId);

  public FileGroupId {
    requireNonNull(partitionPath, "partitionPath");
    requireNonNull(fileId, "fileId");
  }

  /** Path of a file of this group, relative to the base path. */
  public String pathOf(String fileName) {
    return partitionPath.isEmpty() ? fileName : partitionPath + "/" + fileName;
  }

  @Override
  public int compareTo(FileGroupId other) {
    return ORDER.compare(this, other);
  }
}
