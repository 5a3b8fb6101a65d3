package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.base.BaseFileWriter;
import java.io.IOException;

/** Puts meta columns before the bodies of records, and hands them to a Parquet file as rows. */
final class RecordAssembler {
  private final MetaColumnsEncoder metaColumns;
  private final AvroRowDecoder decoder;
  private final AvroBuffer record = new AvroBuffer(1024);

  RecordAssembler(RowFormat format, MetaColumnsEncoder metaColumns) {
    this.metaColumns = metaColumns;
    this.decoder = AvroRowDecoder.create(format.schemaWithMeta(), format.rowTypeWithMeta());
  }

  /** Writes one record; parameters as of {@link FileGroupWriter#upsert}. */
  void write(
      byte[] bytes,
      int keyOffset,
      int keyLength,
      int bodyOffset,
      int bodyLength,
      BaseFileWriter writer)
      throws IOException {
    record.reset();
    metaColumns.encode(bytes, keyOffset, keyLength, record);
    record.writeRaw(bytes, bodyOffset, bodyLength);
    writer.write(decoder.decode(record.array(), 0, record.size()));
  }
}
