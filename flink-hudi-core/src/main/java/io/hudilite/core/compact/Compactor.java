package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.file.BaseFile;
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
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Folds the slices of tasks into base files, one after the other. Rows stream through: only the
 * newest versions of the slice's log records are held, within the given memory, beyond it in a
 * file. All rows keep their meta columns but the file name. Not safe for use by several threads.
 */
public final class Compactor {
  /** Between two looks at whether to go on. */
  private static final int ROWS_BETWEEN_CHECKS = 1_000;

  private final Storage storage;
  private final ReadContext context;
  private final RowType rowType;
  private final String schema;
  private final BaseFileSettings settings;

  /**
   * @param table with the schema that the files are to have
   * @param settings as of freshly written files
   * @param memory for the log records of one slice
   */
  public Compactor(HudiTable table, BaseFileSettings settings, MergeMemory memory)
      throws IOException {
    this.storage = table.storage();
    table.requireNamesStay();
    this.context = table.readContext().withMemory(memory);
    this.rowType = AvroSchemas.withMetaColumns(table.schema().rowType());
    this.schema =
        AvroSchemas.toAvroWithMeta(table.schema().rowType(), table.config().tableName()).toString();
    this.settings = requireNonNull(settings, "settings");
  }

  /**
   * Writes the base file of a task. It counts when the compaction is completed with its stat.
   *
   * @param isCancelled looked at now and then; may be called from this thread only
   * @throws IOException if the file could not be written, was taken over by another execution, or
   *     is not wanted any more; then it is gone, or marked as a left-over
   */
  public WriteStat compact(CompactionTask task, BooleanSupplier isCancelled) throws IOException {
    PlanClaim.requireCurrent(storage, Action.COMPACTION, task);
    new WriteMarkers(storage, task.instant())
        .add(
            task.markerNumber(),
            List.of(
                new WriteMarkers.Marker(
                    task.path(),
                    task.slice().baseFile().isPresent()
                        ? WriteMarkers.IoType.MERGE
                        : WriteMarkers.IoType.CREATE)));
    BaseFileWriter writer =
        BaseFileWriter.create(storage, task.path(), rowType, schema, settings)
            .withFileName(task.fileName().toString());
    try {
      write(task, writer, isCancelled);
      // Nobody tidies up after an execution that was taken for dead: it does so itself.
      PlanClaim.requireCurrent(storage, Action.COMPACTION, task);
    } catch (IOException | RuntimeException | Error e) {
      giveUp(task, writer, e);
      throw e;
    }
    return stat(task, writer);
  }

  private void write(CompactionTask task, BaseFileWriter writer, BooleanSupplier isCancelled)
      throws IOException {
    try (FileSliceReader reader =
        FileSliceReader.open(
            context, task.slice(), LogBlockFilter.ALL, new RowSelection.Live(), rowType)) {
      int untilCheck = ROWS_BETWEEN_CHECKS;
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        writer.write(row);
        if (--untilCheck == 0) {
          untilCheck = ROWS_BETWEEN_CHECKS;
          if (isCancelled.getAsBoolean()) {
            throw new InterruptedIOException("Compaction of " + task.path() + " was cancelled");
          }
        }
      }
    }
    writer.close();
  }

  private void giveUp(CompactionTask task, BaseFileWriter writer, Throwable cause) {
    try {
      writer.abort();
      storage.delete(task.path());
    } catch (IOException | RuntimeException e) {
      cause.addSuppressed(e);
    }
  }

  private static WriteStat stat(CompactionTask task, BaseFileWriter writer) {
    FileSlice slice = task.slice();
    return WriteStat.ofCompactedFile(
        slice.groupId().fileId().value(),
        slice.groupId().partitionPath(),
        task.fileName().toString(),
        slice.baseInstant(),
        slice.baseFile().map(BaseFile::name).map(Object::toString).orElse(""),
        writer.rowCount(),
        writer.fileSizeBytes(),
        new WriteStat.CompactedLogs(slice.logFiles().size(), slice.logBytes()));
  }
}
