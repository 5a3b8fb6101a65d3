package io.hudilite.core.log;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Writes a new log file block by block. Each block is one write to the storage. Not safe for use by
 * several threads.
 */
public final class LogWriter implements Closeable {
  private LogWriter() {}

  /**
   * @throws java.nio.file.FileAlreadyExistsException if the name is taken
   */
  public static LogWriter create(Storage storage, String path) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * A data block.
   *
   * @param schema JSON of the records' Avro schema, meta columns included
   * @param records for each record its length as four bytes, the highest first, and its Avro binary
   */
  public void appendData(InstantTime instant, String schema, int recordCount, AvroBuffer records)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** A delete block. */
  public void appendDeletes(InstantTime instant, String schema, List<DeletedRecord> records)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /** A command block that makes the earlier blocks of {@code target} void. */
  public void appendRollback(InstantTime instant, InstantTime target) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Bytes written so far: after {@link #close()} the size of the file. */
  public long size() {
    throw new UnsupportedOperationException();
  }

  /** Completes the file. */
  @Override
  public void close() throws IOException {}
}
