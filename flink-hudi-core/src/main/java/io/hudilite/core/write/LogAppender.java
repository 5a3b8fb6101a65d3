package io.hudilite.core.write;

import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.List;

/**
 * Writes a new log file of a file group: data blocks, and then one block of all deletes. The
 * partition's {@link PartitionMetadata} must be there.
 */
public final class LogAppender implements FileGroupWriter {

  /**
   * @param partitionPath {@code ""} if the table is not partitioned
   * @param file name of the log file; its instant is that of {@code sequence}
   */
  public LogAppender(
      RowFormat format, SequenceNumbers sequence, String partitionPath, LogFileName file) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void upsert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void insert(byte[] bytes, int keyOffset, int keyLength, int bodyOffset, int bodyLength)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(byte[] bytes, int keyOffset, int keyLength, OrderingValue ordering)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<WriteStat> finish() throws IOException {
    throw new UnsupportedOperationException();
  }

  @Override
  public void abort() {
    throw new UnsupportedOperationException();
  }
}
