package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.compact.PlanClaim;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.MergeMemory;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.WriteMarkers;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Writes the rows of tasks into new file groups, one task after the other. Rows stream through, or
 * are sorted within the given memory, beyond it in local files. All rows keep their meta columns
 * but the file name. Not safe for use by several threads.
 */
public final class Clusterer {
  /** Between two looks at whether to go on, and at the size of the file. */
  private static final int ROWS_BETWEEN_CHECKS = 500;

  private static final long LEAST_SORT_BYTES = 1 << 20;

  private final Storage storage;
  private final ReadContext context;
  private final MergeMemory memory;
  private final RowType rowType;
  private final String schema;
  private final BaseFileSettings settings;

  /**
   * @param table with the schema that the files are to have
   * @param settings as of freshly written files
   * @param memory one half for sorting, one for the log records of a slice
   */
  public Clusterer(HudiTable table, BaseFileSettings settings, MergeMemory memory)
      throws IOException {
    this.storage = table.storage();
    this.memory = requireNonNull(memory, "memory");
    table.requireNamesStay();
    this.context =
        table
            .readContext()
            .withMemory(new MergeMemory(memory.maxBytes() / 2, memory.spillFolder()));
    this.rowType = AvroSchemas.withMetaColumns(table.schema().rowType());
    this.schema =
        AvroSchemas.toAvroWithMeta(table.schema().rowType(), table.config().tableName()).toString();
    this.settings = requireNonNull(settings, "settings");
  }

  /**
   * Writes the new files of a task. They count when the clustering is completed with their stats.
   *
   * @param isCancelled looked at now and then; may be called from this thread only
   * @return none if all rows are deleted
   * @throws IOException if the files could not be written, the task was taken over by another
   *     execution, or it is not wanted any more; then they are gone, or marked as left-overs
   */
  public List<WriteStat> cluster(ClusteringTask task, BooleanSupplier isCancelled)
      throws IOException {
    PlanClaim.requireCurrent(storage, Action.CLUSTERING, task);
    Output output = new Output(task, isCancelled);
    try {
      if (task.sortColumns().isEmpty()) {
        read(task, rowType, output::write);
      } else {
        sort(task, output);
      }
      output.endFile();
      // Nobody tidies up after an execution that was taken for dead: it does so itself.
      PlanClaim.requireCurrent(storage, Action.CLUSTERING, task);
      return output.stats;
    } catch (IOException | RuntimeException | Error e) {
      output.giveUp(e);
      throw e;
    }
  }

  private void sort(ClusteringTask task, Output output) throws IOException {
    SortOrder order = SortOrder.of(task.layout(), task.sortColumns(), rowType);
    if (order.needsSample()) {
      read(
          task,
          order.sampledType(),
          row -> {
            output.checkNowAndThen();
            order.sample(row);
          });
      order.finishSample();
    }
    long bytes = Math.max(LEAST_SORT_BYTES, memory.maxBytes() / 2);
    try (RowSorter sorter = new RowSorter(rowType, order, bytes, memory.spillFolder())) {
      read(
          task,
          rowType,
          row -> {
            output.checkNowAndThen();
            sorter.add(row);
          });
      sorter.forEach(output::write);
    }
  }

  private void read(ClusteringTask task, RowType columns, RowSorter.RowConsumer consumer)
      throws IOException {
    for (FileSlice slice : task.slices()) {
      try (FileSliceReader reader =
          FileSliceReader.open(
              context, slice, LogBlockFilter.ALL, new RowSelection.Live(), columns)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          consumer.accept(row);
        }
      }
    }
  }

  /** The files of one task. */
  private final class Output {
    private final ClusteringTask task;
    private final BooleanSupplier isCancelled;
    private final List<WriteStat> stats = new ArrayList<>();
    private int untilCheck = ROWS_BETWEEN_CHECKS;
    private int files;
    @Nullable private BaseFileWriter writer;
    private BaseFileName name;
    private String path;

    private Output(ClusteringTask task, BooleanSupplier isCancelled) {
      this.task = task;
      this.isCancelled = isCancelled;
    }

    private void write(RowData row) throws IOException {
      if (writer == null) {
        begin();
      }
      writer.write(row);
      if (checkNowAndThen() && writer.estimatedSizeBytes() >= task.targetBytes()) {
        endFile();
      }
    }

    private boolean checkNowAndThen() throws IOException {
      if (--untilCheck > 0) {
        return false;
      }
      untilCheck = ROWS_BETWEEN_CHECKS;
      if (isCancelled.getAsBoolean()) {
        throw new InterruptedIOException("Clustering of " + task.describe() + " was cancelled");
      }
      return true;
    }

    private void begin() throws IOException {
      FileGroupId id = new FileGroupId(task.partitionPath(), FileId.of(UUID.randomUUID()));
      name = new BaseFileName(id.fileId(), task.token(files), task.instant());
      path = id.pathOf(name.toString());
      new WriteMarkers(storage, task.instant())
          .add(
              task.markerNumber(files++),
              List.of(new WriteMarkers.Marker(path, WriteMarkers.IoType.CREATE)));
      writer =
          BaseFileWriter.create(storage, path, rowType, schema, settings)
              .withFileName(name.toString());
    }

    private void endFile() throws IOException {
      if (writer == null) {
        return;
      }
      writer.close();
      stats.add(
          WriteStat.ofNewBaseFile(
              name.fileId().value(),
              task.partitionPath(),
              name.toString(),
              writer.rowCount(),
              writer.fileSizeBytes()));
      writer = null;
    }

    private void giveUp(Throwable cause) {
      try {
        if (writer != null) {
          writer.abort();
          storage.delete(path);
        }
        for (WriteStat stat : stats) {
          storage.delete(stat.path());
        }
      } catch (IOException | RuntimeException e) {
        cause.addSuppressed(e);
      }
    }
  }
}
