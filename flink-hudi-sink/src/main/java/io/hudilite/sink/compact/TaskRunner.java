package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.clustering.Clusterer;
import io.hudilite.core.clustering.ClusteringTask;
import io.hudilite.core.compact.CompactionTask;
import io.hudilite.core.compact.Compactor;
import io.hudilite.core.compact.ServiceTask;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import javax.annotation.Nullable;

/**
 * Does tasks, one after the other. The table is opened once for each plan. Not safe for use by
 * several threads.
 */
final class TaskRunner {
  private final CompactionSettings settings;
  private final long memoryBytes;
  private final Path spillFolder;
  private final BooleanSupplier isCancelled;

  /** Of the plan that the newest task is of. */
  @Nullable private Compactor compactor;

  @Nullable private Clusterer clusterer;
  @Nullable private InstantTime plan;

  /**
   * @param memoryBytes half for rows, half for the row group being written
   * @param isCancelled whether what is under way is not wanted any more
   */
  TaskRunner(
      CompactionSettings settings,
      long memoryBytes,
      Path spillFolder,
      BooleanSupplier isCancelled) {
    this.settings = requireNonNull(settings, "settings");
    this.memoryBytes = memoryBytes;
    this.spillFolder = requireNonNull(spillFolder, "spillFolder");
    this.isCancelled = requireNonNull(isCancelled, "isCancelled");
  }

  /** The files that a task wrote. */
  List<WriteStat> run(ServiceTask task) throws IOException {
    if (!task.instant().equals(plan)) {
      forget();
      plan = task.instant();
    }
    if (task instanceof CompactionTask compaction) {
      if (compactor == null) {
        compactor =
            new Compactor(open(), files(), memory(settings.config().maxMemory().getBytes()));
      }
      return List.of(compactor.compact(compaction, isCancelled));
    }
    if (clusterer == null) {
      clusterer =
          new Clusterer(open(), files(), memory(settings.clustering().maxMemory().getBytes()));
    }
    return clusterer.cluster((ClusteringTask) task, isCancelled);
  }

  /** After a failure the table is opened anew. */
  void forget() {
    plan = null;
    compactor = null;
    clusterer = null;
  }

  private HudiTable open() throws IOException {
    return HudiTable.open(Storages.of(settings.path()));
  }

  private BaseFileSettings files() {
    return BaseFileSettings.DEFAULT
        .withCompression(settings.compression())
        .withRowGroupBytes(Math.min(settings.rowGroupBytes(), memoryBytes / 2))
        .withPageBytes(settings.pageBytes());
  }

  private MergeMemory memory(long wantedBytes) {
    return new MergeMemory(Math.min(wantedBytes, memoryBytes / 2), spillFolder);
  }
}
