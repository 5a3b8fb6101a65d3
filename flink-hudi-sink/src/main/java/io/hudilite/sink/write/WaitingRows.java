package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.annotation.Nullable;

/**
 * Rows that left the memory before the end of their instant, in a local file that is there only
 * while there are such rows. Not safe for use by several threads.
 */
final class WaitingRows implements Closeable {
  private final Path folder;
  private final GroupBuffer.Order order;
  @Nullable private SpilledRows spilled;

  /**
   * @param folder a local folder
   * @param order of the rows of each group
   */
  WaitingRows(Path folder, GroupBuffer.Order order) {
    this.folder = requireNonNull(folder, "folder");
    this.order = requireNonNull(order, "order");
  }

  void add(List<GroupBuffer> groups) throws IOException {
    if (spilled == null) {
      spilled = new SpilledRows(folder);
    }
    for (GroupBuffer group : groups) {
      spilled.add(group, order);
    }
  }

  boolean isEmpty() {
    return spilled == null;
  }

  /** The groups that have rows here. */
  SortedSet<FileGroupId> groups() {
    return spilled == null ? new TreeSet<>() : new TreeSet<>(spilled.groups());
  }

  /** Visits the rows of a group; none if it has none here. The array is valid during the visit. */
  void forEach(FileGroupId group, GroupBuffer.Visitor visitor) throws IOException {
    if (spilled != null) {
      spilled.forEach(group, order, visitor);
    }
  }

  /** Forgets all rows; others may come. */
  @Override
  public void close() throws IOException {
    if (spilled != null) {
      spilled.close();
      spilled = null;
    }
  }
}
