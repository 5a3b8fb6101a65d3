package io.hudilite.core.scan;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Finds from which instant on changes can still be read: archiving takes commits off the timeline,
 * and cleaning takes their files. For error messages; asks the storage for files.
 */
final class EarliestReadable {
  /** So many files are asked for at most. */
  private static final int MAX_FILES = 2_000;

  private EarliestReadable() {}

  /**
   * The oldest instant of which, and of all later ones, all files are there. Empty if not even the
   * newest one's are, or it cannot be told quickly.
   */
  static Optional<InstantTime> of(HudiTable table) throws IOException {
    List<Instant.Completed> writes = table.timeline().completedWrites();
    Optional<InstantTime> earliest = Optional.empty();
    int asked = 0;
    for (int i = writes.size() - 1; i >= 0; i--) {
      for (WriteStat stat : table.timelineStore().readCommit(writes.get(i)).writeStats()) {
        if (++asked > MAX_FILES || !isThere(table.storage(), stat)) {
          return earliest;
        }
      }
      earliest = Optional.of(writes.get(i).requestedTime());
    }
    return earliest;
  }

  private static boolean isThere(Storage storage, WriteStat stat) throws IOException {
    return stat.fileId().isEmpty()
        || stat.fileName().isEmpty()
        || storage.exists(
            new FileGroupId(stat.partitionPath(), new FileId(stat.fileId()))
                .pathOf(stat.fileName()));
  }

  /** The same as the end of a sentence for a person. */
  static String inWords(HudiTable table) throws IOException {
    return of(table)
        .map(
            instant ->
                "The earliest instant that can still be read is %s: start there or later ('read.start-commit'), or with 'earliest' for the whole table."
                    .formatted(instant))
        .orElse("Start with 'read.start-commit'='earliest' for the whole table.");
  }
}
