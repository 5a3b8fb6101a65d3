package io.hudilite.core.merge;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.config.MergeBehavior;
import io.hudilite.core.log.LogBlock;
import io.hudilite.core.schema.MetaColumns;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * The records of a Parquet block. Only the columns that are wanted or needed for merging are read,
 * in batches; what is to be kept of a record is its key and, behind it, the columns that are read.
 * Not safe for use by several threads.
 */
final class ParquetRecords implements Closeable {
  private final BaseFileReader rows;
  private final RowKeys keys;
  @Nullable private final OrderingColumns ordering;
  private final int deletedPosition;
  private final int operationPosition;
  private final int markerPosition;
  @Nullable private final RowData.FieldGetter marker;
  private final String deleteMarker;
  private final BodyFormat format;

  /** One of the two is null. */
  @Nullable private final BinaryRowEncoder binary;

  @Nullable private final AvroRowEncoder avro;
  private final AvroBuffer kept = new AvroBuffer();
  private RowData row;

  /**
   * @param readFromFile all columns to read, those of {@code read} first
   */
  private ParquetRecords(
      BaseFileReader rows,
      RowType readFromFile,
      RowType read,
      @Nullable OrderingColumns ordering,
      MergeBehavior behavior,
      BodyFormat format,
      LogRecordMap map) {
    this.rows = rows;
    this.ordering = ordering;
    this.format = format;
    this.keys = new RowKeys(rows, readFromFile.getFieldIndex(MetaColumns.RECORD_KEY), map);
    int deleted = readFromFile.getFieldIndex(SliceColumns.IS_DELETED);
    boolean tells = deleted >= 0 && readFromFile.getTypeAt(deleted).is(LogicalTypeRoot.BOOLEAN);
    this.deletedPosition = tells ? deleted : -1;
    this.operationPosition = readFromFile.getFieldIndex(SliceColumns.OPERATION);
    this.deleteMarker = behavior.deleteMarker();
    this.markerPosition =
        behavior.deleteField().isEmpty() ? -1 : readFromFile.getFieldIndex(behavior.deleteField());
    this.marker =
        markerPosition < 0
            ? null
            : RowData.createFieldGetter(
                readFromFile.getTypeAt(markerPosition).copy(true), markerPosition);
    boolean isPlain = BinaryRowEncoder.takes(read);
    this.binary = isPlain ? BinaryRowEncoder.of(rows, read) : null;
    this.avro = isPlain ? null : new AvroRowEncoder(LogRecords.nullable(read));
  }

  /**
   * Opens a block.
   *
   * @param where file and position, for messages
   * @param map in which the keys will be looked up
   */
  static ParquetRecords open(
      ReadContext context,
      LogBlock.ParquetData block,
      String where,
      RecordMerger merger,
      SliceColumns columns,
      LogRecordMap map)
      throws IOException {
    MergeBehavior behavior = context.config().mergeBehavior();
    Schema schema = context.columns().namedNow(block.schema(), block.instant());
    List<String> orderingNames =
        merger.usesOrdering() ? context.schema().orderingColumns() : List.of();
    RecordLayout.requireColumns(schema, orderingNames);
    RowType wanted = columnsToRead(schema, columns, behavior);
    BaseFileReader rows =
        BaseFileReader.open(
            where,
            block.open(),
            block.contentLength(),
            context.columns().inFile(wanted, block.instant()));
    try {
      List<String> inFile = rows.columnNames();
      RecordLayout.requireKey(inFile);
      Set<String> names = new LinkedHashSet<>(RecordLayout.names(schema));
      inFile.stream().filter(MetaColumns::isMetaColumn).forEach(names::add);
      RowType read = columns.read();
      return new ParquetRecords(
          rows,
          wanted,
          read,
          orderingNames.isEmpty()
              ? null
              : new OrderingColumns(orderingNames, wanted, context.schema().rowType()),
          behavior,
          BinaryRowEncoder.takes(read)
              ? new BinaryBodies(read, List.copyOf(names), block.isPartial())
              : RecordLayout.ofKeyAndRow(
                  LogRecords.nullable(read), List.copyOf(names), block.isPartial()),
          map);
    } catch (RuntimeException e) {
      rows.close();
      throw e;
    }
  }

  /** The columns of the slice, and those by which a row of this block may say that it deletes. */
  private static RowType columnsToRead(
      Schema schema, SliceColumns columns, MergeBehavior behavior) {
    List<RowType.RowField> fields = new ArrayList<>();
    RowType known = columns.readFromBase();
    for (RowType.RowField field : known.getFields()) {
      fields.add(new RowType.RowField(field.getName(), field.getType().copy(true)));
    }
    Schema.Field deleted = schema.getField(SliceColumns.IS_DELETED);
    if (deleted != null && RecordLayout.isBoolean(deleted.schema())) {
      addIfMissing(fields, known, SliceColumns.IS_DELETED, new BooleanType());
    }
    VarCharType text = new VarCharType(VarCharType.MAX_LENGTH);
    if (schema.getField(SliceColumns.OPERATION) != null) {
      addIfMissing(fields, known, SliceColumns.OPERATION, text);
    }
    if (!behavior.deleteField().isEmpty() && schema.getField(behavior.deleteField()) != null) {
      addIfMissing(fields, known, behavior.deleteField(), text);
    }
    return new RowType(false, fields);
  }

  private static void addIfMissing(
      List<RowType.RowField> fields, RowType known, String name, LogicalType type) {
    if (known.getFieldIndex(name) < 0) {
      fields.add(new RowType.RowField(name, type));
    }
  }

  /** How {@link #kept} becomes a row again. */
  BodyFormat format() {
    return format;
  }

  /** Goes to the next record; false at the end. */
  boolean next() throws IOException {
    row = rows.next();
    if (row == null) {
      return false;
    }
    keys.seek(row);
    return true;
  }

  /** The key of the record, until the next call of {@link #next}. */
  RowKeys keys() {
    return keys;
  }

  void readVersion(Version target) {
    boolean isDelete =
        (deletedPosition >= 0 && !row.isNullAt(deletedPosition) && row.getBoolean(deletedPosition))
            || (operationPosition >= 0
                && !row.isNullAt(operationPosition)
                && RecordLayout.isGone(row.getString(operationPosition)))
            || (markerPosition >= 0 && isMarked());
    if (ordering == null) {
      target.setNone(isDelete);
    } else {
      ordering.read(row, isDelete, target);
    }
  }

  private boolean isMarked() {
    Object value = marker.getFieldOrNull(row);
    return value != null && value.toString().equals(deleteMarker);
  }

  /** What is to be kept of the record: its key and what is read of it. Used again. */
  AvroBuffer kept() {
    kept.reset();
    kept.writeRaw(keys.array(), keys.offset(), keys.length());
    if (binary != null) {
      binary.encode(row, kept);
    } else {
      avro.encode(row, kept);
    }
    return kept;
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
