package io.hudilite.core.base;

import io.hudilite.core.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Writes one base file: Parquet with Hudi's footer. Rows are encoded at once; the caller may reuse
 * them. Not safe for use by several threads.
 */
public final class BaseFileWriter implements Closeable {

  private BaseFileWriter() {}

  /**
   * Creates the file.
   *
   * @param rowType all columns of the file, the five meta columns first; the writer indexes the
   *     bloom filter and the smallest and greatest key by {@code _hoodie_record_key} (a row type
   *     without this column gives a plain Parquet file, as in a log block)
   * @param avroSchema JSON text of the same columns, stored as {@code parquet.avro.schema}
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file
   */
  public static BaseFileWriter create(
      Storage storage, String path, RowType rowType, String avroSchema, BaseFileSettings settings)
      throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Appends a row.
   *
   * @throws IOException on a failure of the storage; the file is then of no use: {@link #abort()}
   * @throws io.hudilite.core.config.HudiTableException if a NOT NULL column is null
   */
  public void write(RowData row) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Rows written so far. */
  public long rowCount() {
    throw new UnsupportedOperationException();
  }

  /** About how big the file would be if it were closed now; rises while rows are written. */
  public long estimatedSizeBytes() {
    throw new UnsupportedOperationException();
  }

  /** Size of the file in bytes, once it is closed. */
  public long fileSizeBytes() {
    throw new UnsupportedOperationException();
  }

  /** The smallest record key by string comparison; empty without rows. */
  public Optional<String> minRecordKey() {
    throw new UnsupportedOperationException();
  }

  /** The greatest record key by string comparison; empty without rows. */
  public Optional<String> maxRecordKey() {
    throw new UnsupportedOperationException();
  }

  /**
   * Finishes the file: it is complete when this returns without an error. A second call does
   * nothing, nor does a call after {@link #abort()}.
   */
  @Override
  public void close() throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Gives the file up: closes the stream and leaves a torn file that the caller deletes. */
  public void abort() {
    throw new UnsupportedOperationException();
  }
}
