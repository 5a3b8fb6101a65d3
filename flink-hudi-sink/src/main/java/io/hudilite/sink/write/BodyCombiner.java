package io.hudilite.sink.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.merge.RowCombiner;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Makes one record out of two of a key, for merge rules under which a row is made of several
 * versions. Key, place and ordering value are those of the version that counts. Not safe for use by
 * several threads.
 */
final class BodyCombiner {
  private final RowCombiner rule;
  private final AvroRowDecoder decoder;
  private final AvroRowEncoder encoder;
  private final AvroBuffer body = new AvroBuffer(1024);

  /**
   * @param merger that combines
   * @param rowType all columns of the table
   */
  BodyCombiner(RecordMerger merger, RowType rowType, String tableName) {
    this.rule = merger.combiner(rowType);
    this.decoder = AvroRowDecoder.create(AvroSchemas.toAvro(rowType, tableName), rowType);
    this.encoder = new AvroRowEncoder(rowType);
  }

  /**
   * The record of two that are no deletes.
   *
   * @param earlier array that holds the earlier record
   * @return a new array; a delete, if the rule says so
   */
  byte[] combine(byte[] earlier, int offset, int length, byte[] later, boolean laterWins)
      throws IOException {
    RowData row =
        rule.combine(decode(earlier, offset, length), decode(later, 0, later.length), laterWins);
    body.reset();
    if (row != null) {
      encoder.encode(row, body);
    }
    return laterWins
        ? HudiRecord.withBody(later, 0, later.length, body, row == null)
        : HudiRecord.withBody(earlier, offset, length, body, row == null);
  }

  private RowData decode(byte[] array, int offset, int length) throws IOException {
    return decoder.decode(
        array, HudiRecord.bodyOffset(array, offset), HudiRecord.bodyLength(array, offset, length));
  }
}
