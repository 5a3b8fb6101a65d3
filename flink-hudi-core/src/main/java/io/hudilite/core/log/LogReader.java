package io.hudilite.core.log;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import java.io.Closeable;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.avro.Schema;

/**
 * Reads the blocks of one log file in file order. Torn blocks come as {@link LogBlock.Corrupt};
 * blocks that are whole but senseless are an error. No length is believed before it was compared
 * with what the file has. Not safe for use by several threads.
 */
public final class LogReader implements Closeable {
  private final LogInput input;
  private final SchemaCache schemas;
  private final boolean saysInstants;
  private long position;

  private LogReader(LogInput input, SchemaCache schemas, boolean saysInstants) {
    this.input = input;
    this.schemas = schemas;
    this.saysInstants = saysInstants;
  }

  /** Opens a file with a schema cache of its own. */
  public static LogReader open(Storage storage, String path, long length) throws IOException {
    return open(storage, path, length, new SchemaCache());
  }

  /**
   * Opens a file.
   *
   * @param length bytes of the file to read: what lies behind was not there when it was listed
   * @param schemas shared by the readers of one table
   */
  public static LogReader open(Storage storage, String path, long length, SchemaCache schemas)
      throws IOException {
    requireNonNull(schemas, "schemas");
    if (length < 0) {
      throw new IllegalArgumentException(path + ": length " + length);
    }
    return new LogReader(new LogInput(path, storage.open(path), length), schemas, true);
  }

  /**
   * Opens a file of the old archive, whose blocks do not say by which instant they were written:
   * that is {@link InstantTime#BEGINNING} of each.
   */
  public static LogReader openOfArchive(
      Storage storage, String path, long length, SchemaCache schemas) throws IOException {
    return new LogReader(new LogInput(path, storage.open(path), length), schemas, false);
  }

  /**
   * The next block, or null at the end of the file. After an error the reader stands behind the
   * block that was wrong.
   *
   * @throws CorruptLogException if a whole block holds something impossible or not readable here,
   *     or the file is shorter than it should be
   */
  @Nullable
  public LogBlock next() throws IOException {
    long start = position;
    if (start >= input.length()) {
      return null;
    }
    String fault = BlockFrame.findFault(input, start);
    if (fault != null) {
      position = nextWhole(start + 1);
      return new LogBlock.Corrupt(start, position - start, fault);
    }
    position = BlockFrame.endOf(input, start);
    BlockFrame frame = BlockFrame.read(input, start);
    return block(saysInstants ? frame : frame.withInstant(InstantTime.BEGINNING));
  }

  /** Where the next whole block begins, or the end of the file. */
  private long nextWhole(long from) throws IOException {
    long found = input.findMagic(from);
    while (found < input.length() && BlockFrame.findFault(input, found) != null) {
      found = input.findMagic(found + 1);
    }
    return found;
  }

  private LogBlock block(BlockFrame frame) throws IOException {
    return switch (frame.type()) {
      case AVRO_DATA -> DataBlock.open(frame, schema(frame));
      case DELETE -> new DeleteBlock(frame, frame.instant());
      case PARQUET_DATA -> new ParquetBlock(frame, frame.instant(), schema(frame));
      case COMMAND -> {
        if (!LogFormat.COMMAND_ROLLBACK.equals(frame.commandText())) {
          throw frame.corrupt("command '" + frame.commandText() + "' is not known");
        }
        yield new LogBlock.Rollback(frame.position(), frame.instant(), frame.target());
      }
      case CORRUPT -> {
        long length = position - frame.position();
        yield new LogBlock.Corrupt(frame.position(), length, "its writer marked it as corrupt");
      }
      case HFILE_DATA, CDC_DATA ->
          throw frame.corrupt(
              "a " + frame.type() + " block, which does not belong into a table's log files");
    };
  }

  private Schema schema(BlockFrame frame) throws CorruptLogException {
    if (frame.schemaText() == null) {
      throw frame.corrupt("a " + frame.type() + " block without SCHEMA in its header");
    }
    try {
      return schemas.parse(frame.schemaText());
    } catch (RuntimeException e) {
      throw new CorruptLogException(
          frame.message("SCHEMA in the header is no Avro schema: " + e.getMessage()), e);
    }
  }

  @Override
  public void close() throws IOException {
    input.close();
  }
}
