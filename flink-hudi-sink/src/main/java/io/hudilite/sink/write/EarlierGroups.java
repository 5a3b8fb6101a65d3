package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The file groups that had files when a restored job first came to their partitions. Rows that were
 * on their way when the checkpoint was taken may call them new. Each partition is listed once: what
 * is new later, only the one writer of its group makes. Not safe for use by several threads.
 */
final class EarlierGroups {
  private final Storage storage;
  private final Map<String, Set<FileId>> byPartition = new HashMap<>();

  EarlierGroups(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  boolean contains(FileGroupId group) throws IOException {
    Set<FileId> ids = byPartition.get(group.partitionPath());
    if (ids == null) {
      ids = new HashSet<>();
      for (StoredFile file : storage.list(group.partitionPath())) {
        BaseFileName.parse(file.name()).map(BaseFileName::fileId).ifPresent(ids::add);
        LogFileName.parse(file.name()).map(LogFileName::fileId).ifPresent(ids::add);
      }
      byPartition.put(group.partitionPath(), ids);
    }
    return ids.contains(group.fileId());
  }
}
