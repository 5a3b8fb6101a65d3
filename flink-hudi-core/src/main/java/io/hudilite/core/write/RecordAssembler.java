package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.base.RecordFeed;
import java.io.IOException;
import javax.annotation.Nullable;

/** Puts meta columns before the bodies of records, and writes them to a Parquet file. */
final class RecordAssembler {
  private final MetaColumnsEncoder metaColumns;
  private final AvroRowDecoder decoder;

  /** Null if records must become rows first. */
  @Nullable private final RecordFeed feed;

  private final AvroBuffer record = new AvroBuffer(1024);

  RecordAssembler(RowFormat format, MetaColumnsEncoder metaColumns) {
    this.metaColumns = metaColumns;
    this.feed = format.recordFeed();
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
    if (feed == null) {
      writer.write(decoder.decode(record.array(), 0, record.size()));
    } else {
      writer.write(feed, record.array(), 0, record.size());
      writer.addKey(bytes, keyOffset, keyLength);
    }
  }
}
