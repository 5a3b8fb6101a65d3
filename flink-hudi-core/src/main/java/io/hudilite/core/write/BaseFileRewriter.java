package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.FileSliceReader;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.merge.RowSelection;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;

/**
 * Writes the next base file of a file group: what the one before holds, merged with changes. The
 * changes become log files in a scratch space that only the merge sees, so that a copy-on-write
 * table merges exactly as a merge-on-read table is read. Rows that do not change keep commit time
 * and sequence number.
 *
 * <pre>
 * changes --> scratch log files --+
 *                                 +-- FileSliceReader --> new base file
 * base file before --------------+
 * </pre>
 *
 * Other than the interface asks for, a key may come again after {@link #endRun()}: the later change
 * counts as the later one. Between runs a rewriter takes no memory to speak of.
 */
public final class BaseFileRewriter implements FileGroupWriter {
  /** A run that is longer goes to disk while it is written. */
  private static final int RUN_MEMORY_BYTES = 8 << 20;

  private final RowFormat format;
  private final ReadContext context;
  private final SequenceNumbers sequence;
  private final FileGroupId group;
  private final ScratchStorage scratch;
  private final RowFormat scratchFormat;
  private final List<LogFile> runs = new ArrayList<>();
  @Nullable private LogAppender run;
  @Nullable private BaseFile before;
  @Nullable private BaseFileName name;
  @Nullable private BaseFileWriter writer;

  /**
   * @param context of the table; its memory bounds the merge, and its folder takes what is too much
   */
  public BaseFileRewriter(
      RowFormat format, ReadContext context, SequenceNumbers sequence, FileGroupId group) {
    this.format = requireNonNull(format, "format");
    this.sequence = requireNonNull(sequence, "sequence");
    this.group = requireNonNull(group, "group");
    this.scratch =
        new ScratchStorage(context.storage(), context.memory().spillFolder(), RUN_MEMORY_BYTES);
    this.scratchFormat = format.forScratch(scratch);
    this.context = context.withStorage(scratch);
  }

  private LogAppender run() {
    if (run == null) {
      run = new LogAppender(scratchFormat, sequence, group.partitionPath(), nextRun());
    }
    return run;
  }

  private LogFileName nextRun() {
    return new LogFileName(group.fileId(), sequence.instant(), runs.size() + 1, "0-0-0");
  }

  @Override
  public void upsert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    run().upsert(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
  }

  @Override
  public void insert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    run().insert(bytes, keyOffset, keyLength, bodyOffset, bodyLength);
  }

  @Override
  public void delete(byte[] bytes, int keyOffset, int keyLength, OrderingValue ordering)
      throws IOException {
    run().delete(bytes, keyOffset, keyLength, ordering);
  }

  /** Puts the changes so far out of the memory; keys may come again after it. */
  public void endRun() throws IOException {
    closeRun();
    scratch.spill();
  }

  private void closeRun() throws IOException {
    if (run == null) {
      return;
    }
    for (WriteStat stat : run.finish()) {
      runs.add(new LogFile(group, nextRun(), stat.fileSizeInBytes()));
    }
    run = null;
  }

  /**
   * Says what {@link #finish()} is to write. The partition's {@link PartitionMetadata} must be
   * there by then.
   *
   * @param before the newest base file of the group, null if it has none
   * @param name of the new one
   */
  public void replace(@Nullable BaseFile before, BaseFileName name) {
    if (!name.fileId().equals(group.fileId())
        || (before != null && !before.groupId().equals(group))
        || !name.instant().equals(sequence.instant())) {
      throw new IllegalArgumentException(
          "%s does not replace %s in %s at %s".formatted(name, before, group, sequence.instant()));
    }
    this.before = before;
    this.name = name;
  }

  /**
   * Merges and writes; see {@link #replace}. A group that had no base file and has no rows now gets
   * none; one that loses all its rows gets a base file without any.
   */
  @Override
  public List<WriteStat> finish() throws IOException {
    if (name == null) {
      throw new IllegalStateException("The base file of " + group + " has no name yet");
    }
    closeRun();
    FileSlice slice = new FileSlice(group, sequence.instant(), before, runs);
    try (FileSliceReader reader =
        FileSliceReader.open(
            context,
            slice,
            LogBlockFilter.ALL,
            new RowSelection.Live(),
            format.rowTypeWithMeta())) {
      return write(reader);
    } finally {
      scratch.close();
    }
  }

  private List<WriteStat> write(FileSliceReader reader) throws IOException {
    FileNameColumn inNewFile = new FileNameColumn(format.rowTypeWithMeta(), name.toString());
    StringData instant = StringData.fromString(sequence.instant().toString());
    int commitTime = format.rowTypeWithMeta().getFieldIndex(MetaColumns.COMMIT_TIME);
    long inserts = 0;
    long updates = 0;
    long ofBefore = 0;
    if (before != null) {
      create();
    }
    for (RowData row = reader.next(); row != null; row = reader.next()) {
      if (writer == null) {
        create();
      }
      if (reader.isBehindBaseFile()) {
        inserts++;
      } else {
        ofBefore++;
        if (row.getString(commitTime).equals(instant)) {
          updates++;
        }
      }
      writer.write(inNewFile.of(row));
    }
    if (writer == null) {
      return List.of();
    }
    writer.close();
    long rows = writer.rowCount();
    return List.of(
        before == null
            ? WriteStat.ofNewBaseFile(
                group.fileId().value(),
                group.partitionPath(),
                name.toString(),
                rows,
                writer.fileSizeBytes())
            : WriteStat.ofRewrittenBaseFile(
                group.fileId().value(),
                group.partitionPath(),
                name.toString(),
                before.name().instant(),
                before.name().toString(),
                rows,
                inserts,
                updates,
                reader.baseFileRows() - ofBefore,
                writer.fileSizeBytes()));
  }

  private void create() throws IOException {
    writer =
        BaseFileWriter.create(
            format.storage(),
            group.pathOf(name.toString()),
            format.rowTypeWithMeta(),
            format.schemaText(),
            format.baseFileSettings());
  }

  @Override
  public void abort() {
    if (run != null) {
      run.abort();
      run = null;
    }
    try {
      scratch.close();
    } catch (IOException e) {
      // Local files of this process; nothing depends on them.
    }
    if (writer != null) {
      NewFile.giveUp(format.storage(), group.pathOf(name.toString()), writer::abort);
    }
  }
}
