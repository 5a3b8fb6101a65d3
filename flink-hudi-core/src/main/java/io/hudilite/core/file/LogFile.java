package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

/**
 * A log file of a file group. Log files order as they are to be read.
 *
 * @param lengthBytes size of the whole file
 */
public record LogFile(FileGroupId groupId, LogFileName name, long lengthBytes)
    implements Comparable<LogFile> {
  public LogFile {
    requireNonNull(groupId, "groupId");
    requireNonNull(name, "name");
    if (!groupId.fileId().equals(name.fileId())) {
      throw new IllegalArgumentException(name + " is no file of group " + groupId);
    }
  }

  /** Path relative to the base path of the table. */
  public String path() {
    return groupId.pathOf(name.toString());
  }

  @Override
  public int compareTo(LogFile other) {
    return name.compareTo(other.name);
  }
}
