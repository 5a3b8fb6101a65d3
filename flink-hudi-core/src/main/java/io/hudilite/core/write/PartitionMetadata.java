package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.HashSet;
import java.util.Set;

/**
 * The file {@code .hoodie_partition_metadata} that makes a folder a partition: without it engines
 * that list the file system do not see the data. Source: HoodiePartitionMetadata of Hudi 1.0.2. One
 * per writer, so that each partition is looked at once. Not safe for use by several threads.
 */
public final class PartitionMetadata {
  public static final String FILE_NAME = ".hoodie_partition_metadata";

  private final Storage storage;
  private final Set<String> known = new HashSet<>();

  public PartitionMetadata(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  /**
   * Makes sure that the file is there; to be called before the first data file of the partition.
   *
   * @param partitionPath {@code ""} for a table without partitions
   * @param instant requested time of the instant that writes
   */
  public void ensure(String partitionPath, InstantTime instant) throws IOException {
    if (known.contains(partitionPath)) {
      return;
    }
    String path = partitionPath.isEmpty() ? FILE_NAME : partitionPath + "/" + FILE_NAME;
    if (!storage.exists(path)) {
      try {
        storage.createNew(path, content(partitionPath, instant));
      } catch (FileAlreadyExistsException e) {
        // Another writer was faster; the content differs in the instant only, which nobody reads.
      }
    }
    known.add(partitionPath);
  }

  private static byte[] content(String partitionPath, InstantTime instant) {
    long depth =
        partitionPath.isEmpty() ? 0 : 1 + partitionPath.chars().filter(c -> c == '/').count();
    return "#partition metadata\ncommitTime=%s\npartitionDepth=%d\n"
        .formatted(instant, depth)
        .getBytes(StandardCharsets.UTF_8);
  }
}
