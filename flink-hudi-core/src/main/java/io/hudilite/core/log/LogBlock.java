package io.hudilite.core.log;

import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;

/**
 * A block of a log file: its header in memory, its content still in the file. The content can be
 * read, also several times and in any order, until the {@link LogReader} is closed. So a reader may
 * first collect all blocks, drop those that a later {@link Rollback} makes void, and then read.
 */
public sealed interface LogBlock {

  /** Byte of the file at which the block begins. */
  long position();

  /** Upserts, in Avro. */
  non-sealed interface Data extends LogBlock {
    /** Requested time of the instant that wrote the block. */
    InstantTime instant();

    /** Writer's schema, meta columns included. Blocks with equal schemas share the object. */
    Schema schema();

    /** Whether the records hold only the changed columns; the rest comes from older versions. */
    boolean isPartial();

    int recordCount();

    /** A new cursor before the first record. */
    RecordCursor records() throws IOException;

    /**
     * The same, but a record is valid for longer: until the second change of the array that holds
     * the current one. Whoever reads it may write over it.
     */
    RecordCursor pairedRecords() throws IOException;
  }

  /** Deletes. */
  non-sealed interface Delete extends LogBlock {
    InstantTime instant();

    /** Reads all of them. */
    List<DeletedRecord> records() throws IOException;
  }

  /**
   * Makes all earlier blocks of an instant in this slice void (table version 6).
   *
   * @param instant of the rollback
   * @param target instant whose blocks are void
   */
  record Rollback(long position, InstantTime instant, InstantTime target) implements LogBlock {}

  /** Bytes that are no whole block, up to the next one or the end: to be skipped. */
  record Corrupt(long position, long length, String reason) implements LogBlock {}

  /** Upserts in a Parquet file inside the log file. */
  non-sealed interface ParquetData extends LogBlock {
    InstantTime instant();

    Schema schema();

    boolean isPartial();

    /** Byte of the log file at which the Parquet file begins. */
    long contentPosition();

    long contentLength();

    /** The Parquet file, as long as the log file's reader is open; it need not be closed. */
    StorageInput open();
  }
}
