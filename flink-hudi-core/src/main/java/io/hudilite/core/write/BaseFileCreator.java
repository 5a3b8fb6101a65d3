package io.hudilite.core.write;

import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.util.List;

/**
 * Writes the first files of a new file group: a base file of its rows and, if there are deletes, a
 * log file of the same instant. The partition's {@link PartitionMetadata} must be there.
 */
public final class BaseFileCreator implements FileGroupWriter {

  /**
   * @param partitionPath {@code ""} if the table is not partitioned
   * @param baseFile name of the file for rows
   * @param deletesFile name of the log file that is made if there are deletes
   */
  public BaseFileCreator(
      RowFormat format,
      SequenceNumbers sequence,
      String partitionPath,
      BaseFileName baseFile,
      LogFileName deletesFile) {
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
