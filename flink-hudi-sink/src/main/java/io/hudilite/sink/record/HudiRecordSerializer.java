package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.AvroSchemas;
import java.io.IOException;
import org.apache.flink.api.common.typeutils.SimpleTypeSerializerSnapshot;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.types.logical.RowType;

/**
 * A {@link HudiRecord} in the stream: int32 mark of the columns, int32 length, then its array.
 *
 * <p>An unaligned checkpoint keeps rows that are on their way, and a job may go on from it with
 * other columns than it had. The body of such a row would be taken for one of the new columns, and
 * a log block with it would not be readable any more: so each row says which columns it has.
 */
public final class HudiRecordSerializer extends TypeSerializer<HudiRecord> {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final int columns;

  /**
   * For bodies of these columns.
   *
   * @param path of the table, for messages
   * @param rowType of the bodies, as the table stores them
   */
  public HudiRecordSerializer(String path, RowType rowType) {
    this(path, AvroSchemas.toAvroOfColumns(rowType).toString().hashCode());
  }

  private HudiRecordSerializer(String path, int columns) {
    this.path = requireNonNull(path, "path");
    this.columns = columns;
  }

  @Override
  public boolean isImmutableType() {
    return false;
  }

  @Override
  public TypeSerializer<HudiRecord> duplicate() {
    return this;
  }

  @Override
  public HudiRecord createInstance() {
    return new HudiRecord(new byte[HudiRecord.HEADER_BYTES]);
  }

  /** The record itself: whoever hands one on does not look at it again. */
  @Override
  public HudiRecord copy(HudiRecord from) {
    return from;
  }

  @Override
  public HudiRecord copy(HudiRecord from, HudiRecord reuse) {
    return from;
  }

  @Override
  public int getLength() {
    return -1;
  }

  @Override
  public void serialize(HudiRecord record, DataOutputView target) throws IOException {
    byte[] bytes = record.bytes();
    target.writeInt(columns);
    target.writeInt(bytes.length);
    target.write(bytes);
  }

  /**
   * Reads one.
   *
   * @throws SuppressRestartsException if it has other columns; a restart would only meet it again
   */
  @Override
  public HudiRecord deserialize(DataInputView source) throws IOException {
    int found = source.readInt();
    if (found != columns) {
      throw new SuppressRestartsException(
          new HudiTableException(
              "A row for the table at '%s', which was on its way when the checkpoint was taken that this job goes on from, has other columns than the job has now (marks %08x and %08x). Start from that checkpoint with the columns of before, stop with a savepoint, and start from there with the new ones: a savepoint has no rows on their way."
                  .formatted(path, found, columns)));
    }
    byte[] bytes = new byte[source.readInt()];
    source.readFully(bytes);
    return new HudiRecord(bytes);
  }

  @Override
  public HudiRecord deserialize(HudiRecord reuse, DataInputView source) throws IOException {
    return deserialize(source);
  }

  @Override
  public void copy(DataInputView source, DataOutputView target) throws IOException {
    // Not by target.write(source, length): some of Flink's targets do not grow then.
    serialize(deserialize(source), target);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof HudiRecordSerializer other && columns == other.columns;
  }

  @Override
  public int hashCode() {
    return columns;
  }

  @Override
  public TypeSerializerSnapshot<HudiRecord> snapshotConfiguration() {
    return new Snapshot();
  }

  /** Says that the form above is meant. Records are never part of a state, so nobody reads it. */
  public static final class Snapshot extends SimpleTypeSerializerSnapshot<HudiRecord> {
    public Snapshot() {
      super(() -> new HudiRecordSerializer("", 0));
    }
  }
}
