package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.sink.config.IndexScope;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * Turns rows of a table into {@link HudiRecord}s. Rows of tables without key columns get keys that
 * no other row has. Reuses its buffers: not safe for use by several threads.
 */
public final class RowDataToRecord {
  private final KeyExtractor keys;

  /** Null if the table has key columns. */
  @Nullable private final GeneratedKeys generated;

  private final AvroRowEncoder encoder;

  /** Null if rows are stored as they come. */
  @Nullable private final UnaryOperator<RowData> storedRows;

  private final IndexScope scope;
  private final int[] orderingColumns;
  private final AvroBuffer buffer = new AvroBuffer(1024);
  private String lastPartition = "";
  private byte[] lastPartitionBytes = new byte[0];

  /**
   * @throws HudiTableException if a column has a type that Hudi has no place for, or that cannot be
   *     a key, partition or ordering column
   */
  public RowDataToRecord(
      TableSchema schema, KeyFormat format, RecordMerger merger, IndexScope scope) {
    this(schema, schema.rowType(), format, merger, scope);
  }

  /**
   * The same for rows whose timestamps have fewer digits than the table stores.
   *
   * @param schema with the types that the table stores
   * @param rows the type of the rows: the same columns
   * @param merger of the table, which may say that rows are stored otherwise than they come
   * @throws HudiTableException as above
   */
  public RowDataToRecord(
      TableSchema schema, RowType rows, KeyFormat format, RecordMerger merger, IndexScope scope) {
    this.storedRows = merger.storedRows(rows).orElse(null);
    this.keys = new KeyExtractor(schema, format, rows);
    this.generated = schema.recordKeyColumns().isEmpty() ? new GeneratedKeys() : null;
    this.encoder = new AvroRowEncoder(rows, schema.rowType());
    this.scope = requireNonNull(scope, "scope");
    this.orderingColumns = schema.indexesOf(schema.orderingColumns());
  }

  /**
   * Whether a row of this kind says something: {@code UPDATE_BEFORE} does only if keys are unique
   * per partition, as the row after it may be in another one.
   */
  public boolean counts(RowKind kind) {
    return kind != RowKind.UPDATE_BEFORE || scope == IndexScope.PARTITION;
  }

  /**
   * The row as one record, not assigned yet; belongs to the caller.
   *
   * @throws HudiTableException if the key or ordering value is null, a NOT NULL column is null, or
   *     a value does not fit
   */
  public HudiRecord convert(RowData arrived) {
    RowKind kind = arrived.getRowKind();
    boolean isDelete = kind == RowKind.DELETE || kind == RowKind.UPDATE_BEFORE;
    RowData row = isDelete || storedRows == null ? arrived : storedRows.apply(arrived);
    buffer.reset();
    buffer.skip(HudiRecord.HEADER_BYTES);
    if (generated == null) {
      keys.recordKey(row, buffer);
    } else {
      generated.next(buffer);
    }
    int partitionAt = buffer.size();
    byte[] partition = bytesOf(keys.partitionPath(row));
    buffer.writeRaw(partition);
    int orderingAt = buffer.size();
    OrderingCodec.encode(
        isDelete && lacksOrdering(row) ? OrderingValue.NONE : keys.ordering(row), buffer);
    int bodyAt = buffer.size();
    if (!isDelete) {
      encoder.encode(row, buffer);
    }
    byte[] bytes = buffer.toByteArray();
    int keyLength = partitionAt - HudiRecord.HEADER_BYTES;
    int hash = RecordKey.hashOf(bytes, HudiRecord.HEADER_BYTES, keyLength);
    if (scope == IndexScope.PARTITION) {
      hash = RecordKey.continueHash(31 * hash, partition, 0, partition.length);
    }
    bytes[0] = isDelete ? HudiRecord.FLAG_DELETE : 0;
    HudiRecord.setInt(bytes, HudiRecord.KEY_HASH_AT, hash);
    // The buffer is used for many rows: what an earlier one left in the header must go.
    java.util.Arrays.fill(bytes, HudiRecord.FILE_ID_AT, HudiRecord.KEY_LENGTH_AT, (byte) 0);
    HudiRecord.setInt(bytes, HudiRecord.KEY_LENGTH_AT, keyLength);
    HudiRecord.setInt(bytes, HudiRecord.PARTITION_LENGTH_AT, partition.length);
    HudiRecord.setInt(bytes, HudiRecord.ORDERING_LENGTH_AT, bodyAt - orderingAt);
    return new HudiRecord(bytes);
  }

  /** A delete may come with nothing but its key; then it counts whatever the ordering. */
  private boolean lacksOrdering(RowData row) {
    for (int column : orderingColumns) {
      if (row.isNullAt(column)) {
        return true;
      }
    }
    return false;
  }

  private byte[] bytesOf(String partition) {
    if (!partition.equals(lastPartition)) {
      lastPartitionBytes = partition.getBytes(StandardCharsets.UTF_8);
      lastPartition = partition;
    }
    return lastPartitionBytes;
  }
}
