package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * Knows which base file of a file group the next one must take the place of: the newest of the
 * table, or the newest that this writer made, whose instant may not be complete yet. Each partition
 * is listed once per {@link #look()}. Not safe for use by several threads.
 */
final class NewestBaseFiles {
  /** How long a written file is remembered after its instant was seen to be complete. */
  private static final int REMEMBERED_BARRIERS = 10;

  private final Storage storage;
  private final Map<FileGroupId, Own> own = new HashMap<>();
  private final Map<String, Map<FileGroupId, BaseFile>> committed = new HashMap<>();
  private int barriers;
  @Nullable private HudiTable table;
  @Nullable private FileSystemView view;

  private record Own(BaseFile file, int barriers) {}

  NewestBaseFiles(Storage storage) {
    this.storage = requireNonNull(storage, "storage");
  }

  /** How to read the files of the table. */
  ReadContext readContext() throws IOException {
    return table().readContext();
  }

  private HudiTable table() throws IOException {
    if (table == null) {
      table = HudiTable.open(storage);
      table.requireNamesStay();
    }
    return table;
  }

  /** What {@link #of} says from now on is of the table as it is now. */
  void look() throws IOException {
    HudiTable now = table().refresh();
    view = now.view();
    committed.clear();
    own.values()
        .removeIf(
            mine ->
                barriers - mine.barriers > REMEMBERED_BARRIERS
                    && now.timeline().pending(mine.file.name().instant()).isEmpty());
  }

  void onBarrier() {
    barriers++;
  }

  /** This writer has made a file. */
  void wrote(WriteStat stat) {
    BaseFileName name = BaseFileName.parse(stat.fileName()).orElseThrow();
    FileGroupId id = new FileGroupId(stat.partitionPath(), name.fileId());
    own.put(id, new Own(new BaseFile(id, name, stat.fileSizeInBytes()), barriers));
  }

  /**
   * Null if the group has none.
   *
   * @throws HudiTableException if the group was replaced
   */
  @Nullable
  BaseFile of(FileGroupId id) throws IOException {
    if (view.isReplaced(id)) {
      throw new HudiTableException(
          ("File group %s of partition '%s' of the table at '%s' was replaced by another job"
                  + " (INSERT OVERWRITE or clustering) while this one was writing to it. Restart"
                  + " this job from its last checkpoint: it then looks up where its keys are.")
              .formatted(id.fileId(), id.partitionPath(), storage.location()));
    }
    BaseFile found = committedOf(id.partitionPath()).get(id);
    Own mine = own.get(id);
    if (mine == null) {
      return found;
    }
    return found == null || !found.name().instant().isAfter(mine.file.name().instant())
        ? mine.file
        : found;
  }

  private Map<FileGroupId, BaseFile> committedOf(String partitionPath) throws IOException {
    Map<FileGroupId, BaseFile> ofPartition = committed.get(partitionPath);
    if (ofPartition == null) {
      ofPartition = new HashMap<>();
      for (FileSlice slice : view.latestSlices(partitionPath)) {
        Optional<BaseFile> file = slice.baseFile();
        if (file.isPresent()) {
          ofPartition.put(slice.groupId(), file.get());
        }
      }
      committed.put(partitionPath, ofPartition);
    }
    return ofPartition;
  }
}
