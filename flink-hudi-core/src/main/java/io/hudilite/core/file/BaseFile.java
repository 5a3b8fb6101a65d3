package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

/**
 * A base file of a file group.
 *
 * @param lengthBytes size of the whole file
 */
public record BaseFile(FileGroupId groupId, BaseFileName name, long lengthBytes) {
  public BaseFile {
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
}
