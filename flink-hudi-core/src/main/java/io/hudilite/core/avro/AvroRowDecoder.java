package io.hudilite.core.avro;

import org.apache.avro.Schema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads rows of one type out of Avro binary that was written in another, wider or narrower schema.
 * Columns are matched by name; a wanted column that the writer did not have is null; columns that
 * are not wanted are skipped. Not safe for use by several threads.
 */
public final class AvroRowDecoder {
  private final AvroInput input = new AvroInput();
  private final RecordDecoder record;

  private AvroRowDecoder(RecordDecoder record) {
    this.record = record;
  }

  /**
   * A decoder of records that begin with the first column of the schema.
   *
   * @param writer a record schema; may hold the meta columns, which are ordinary columns here
   * @param target the wanted columns in the wanted order and with the wanted types; ints widen to
   *     long, float, double and decimal, everything plain to string; timestamps of any unit become
   *     the target's
   * @throws io.hudilite.core.config.HudiTableException if a column cannot be read as the wanted
   *     type; names the column and both types
   */
  public static AvroRowDecoder create(Schema writer, RowType target) {
    return createBehind(writer, 0, target);
  }

  /**
   * The same for bytes that begin inside a record: the caller has passed over its first fields.
   *
   * @param passed how many fields; none of them may be wanted
   */
  public static AvroRowDecoder createBehind(Schema writer, int passed, RowType target) {
    RecordDecoder.requireRecord(writer);
    return new AvroRowDecoder(new RecordDecoder(writer, passed, target, ""));
  }

  /**
   * Decodes one record. The row is new with each call, but its strings look into {@code bytes}:
   * whoever keeps the row longer than the array's content must copy it. Bytes behind the last
   * wanted column are not looked at.
   *
   * @throws MalformedAvroException if the bytes do not fit the writer's schema
   * @throws io.hudilite.core.config.HudiTableException if a value does not fit into the wanted type
   */
  public GenericRowData decode(byte[] bytes, int offset, int length) throws MalformedAvroException {
    input.reset(bytes, offset, length);
    return record.decodeWanted(input);
  }
}
