package io.hudilite.core.avro;

import io.hudilite.core.config.HudiTableException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Reads a record in the order in which its writer wrote it: each field is put into its place in the
 * row or passed over. What follows the last wanted field is not looked at, unless something comes
 * after the record.
 */
final class RecordDecoder {
  private final int fieldCount;

  /** For each field of the writer: its place in the row, or -1. */
  private final int[] places;

  private final ValueDecoder[] decoders;
  private final ValueSkipper[] skippers;
  private final int firstField;
  private final int lastWanted;

  RecordDecoder(Schema writer, RowType target, String path) {
    this(writer, 0, target, path);
  }

  /**
   * @param firstField the input begins with this field of the writer, none before it is wanted
   */
  RecordDecoder(Schema writer, int firstField, RowType target, String path) {
    this.firstField = firstField;
    fieldCount = target.getFieldCount();
    List<Schema.Field> fields = writer.getFields();
    places = new int[fields.size()];
    decoders = new ValueDecoder[fields.size()];
    skippers = new ValueSkipper[fields.size()];
    int last = -1;
    for (int i = 0; i < places.length; i++) {
      Schema.Field field = fields.get(i);
      places[i] = target.getFieldIndex(field.name());
      if (i < firstField && places[i] >= 0) {
        throw new IllegalArgumentException(field.name() + " is wanted, but was passed already");
      }
      if (places[i] < 0) {
        skippers[i] = ValueSkipper.of(field.schema());
      } else {
        last = i;
        decoders[i] =
            ValueDecoders.of(field.schema(), target.getTypeAt(places[i]), path + field.name());
      }
    }
    lastWanted = last;
  }

  static void requireRecord(Schema writer) {
    if (writer.getType() != Schema.Type.RECORD) {
      throw new HudiTableException(
          "Rows are Avro records, but the writer's schema is a " + writer.getType().getName());
    }
  }

  /** All fields, so that what comes after the record can be read. */
  GenericRowData decode(AvroInput in) throws MalformedAvroException {
    return decode(in, places.length);
  }

  /** The wanted fields only; the input is then somewhere inside the record. */
  GenericRowData decodeWanted(AvroInput in) throws MalformedAvroException {
    return decode(in, lastWanted + 1);
  }

  private GenericRowData decode(AvroInput in, int fields) throws MalformedAvroException {
    GenericRowData row = new GenericRowData(fieldCount);
    for (int i = firstField; i < fields; i++) {
      int place = places[i];
      if (place < 0) {
        skippers[i].skip(in);
      } else {
        row.setField(place, decoders[i].decode(in));
      }
    }
    return row;
  }
}
