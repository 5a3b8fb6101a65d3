package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.avro.AvroRowEncoder;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.merge.FillingMerger;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * For tables in which a late row fills what the newer one lacks: which columns of a key's row have
 * a value, one bit each. With that a late row is cut down to what it may still fill, and made as
 * new as the newest one. So what is written is never late, and it does not matter any more which
 * versions a compaction, or another reader of the table, merges first.
 *
 * <pre>
 *   known  (k1, n1, null, ts 2)    late  (k1, n0, p1, ts 1)    written  (k1, null, p1, ts 2)
 * </pre>
 *
 * Not safe for use by several threads.
 */
public final class FilledColumns {
  private static final int MOST_SHARED = 1024;

  private final AvroRowDecoder decoder;
  private final AvroRowEncoder encoder;
  private final AvroBuffer body = new AvroBuffer(1024);
  private final int count;
  private final int ordering;
  private final LogicalType orderingType;

  /** Columns that are the same in all rows of a key, so that they never fill anything. */
  private final boolean[] isOfKey;

  /** Equal masks are one object: a table has few different ones, and many keys. */
  private final Map<Mask, byte[]> shared = new HashMap<>();

  @SuppressWarnings("ArrayRecordComponent") // compared below
  private record Mask(byte[] bits) {
    @Override
    public boolean equals(Object o) {
      return o instanceof Mask other && Arrays.equals(bits, other.bits);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bits);
    }
  }

  private FilledColumns(RowType rowType, TableConfig table, String orderingColumn) {
    this.decoder = AvroRowDecoder.create(AvroSchemas.toAvro(rowType, table.tableName()), rowType);
    this.encoder = new AvroRowEncoder(rowType);
    this.count = rowType.getFieldCount();
    this.ordering = rowType.getFieldIndex(orderingColumn);
    this.orderingType = rowType.getTypeAt(ordering);
    this.isOfKey = new boolean[count];
    for (String column : columnsOfKey(table)) {
      isOfKey[rowType.getFieldIndex(column)] = true;
    }
  }

  /**
   * Null if late rows fill nothing in this table; or if that cannot be told of them, since a column
   * that they bring cannot be null.
   *
   * @param rowType all columns of the table, as they are stored
   */
  @Nullable
  static FilledColumns of(TableConfig table, RowType rowType) {
    RecordMerger merger = RecordMerger.of(requireNonNull(table, "table"));
    List<String> ordering = table.mergeBehavior().orderingFields();
    if (!(merger instanceof FillingMerger filling)
        || !filling.fillsNullsByOrdering()
        || ordering.size() != 1) {
      return null;
    }
    Set<String> always = new HashSet<>(columnsOfKey(table));
    always.addAll(ordering);
    boolean mayAllBeNull =
        rowType.getFields().stream()
            .allMatch(field -> field.getType().isNullable() || always.contains(field.getName()));
    return mayAllBeNull && rowType.getFieldNames().containsAll(always)
        ? new FilledColumns(rowType, table, ordering.get(0))
        : null;
  }

  /**
   * Whether {@link #of} gives nothing though late rows fill.
   *
   * @param rowType all columns of the table, as they are stored
   */
  public static boolean isUnknown(TableConfig table, RowType rowType) {
    return of(table, rowType) == null;
  }

  private static Set<String> columnsOfKey(TableConfig table) {
    Set<String> columns = new HashSet<>(table.recordKeyFields());
    columns.addAll(table.partitionFields());
    return columns;
  }

  /** Those of a row that is no delete. */
  byte[] of(HudiRecord record) throws IOException {
    return of(decode(record));
  }

  byte[] of(RowData row) {
    byte[] filled = new byte[(count + 7) / 8];
    for (int i = 0; i < count; i++) {
      if (!row.isNullAt(i)) {
        set(filled, i);
      }
    }
    return share(filled);
  }

  /** The columns of both; null if those of the one before are not known. */
  @Nullable
  byte[] join(@Nullable byte[] before, byte[] after) {
    if (before == null || before.length > after.length) {
      return null;
    }
    byte[] both = after.clone();
    boolean isSame = before.length == after.length;
    for (int i = 0; i < before.length; i++) {
      both[i] |= before[i]; // columns behind were added since, and have no value before
      isSame &= both[i] == before[i];
    }
    return isSame ? before : share(both);
  }

  /**
   * What a late row still fills, as new as what is known of its key, which learns it.
   *
   * @return null if it fills nothing; the row itself if that is not known
   */
  @Nullable
  HudiRecord rest(HudiRecord late, KeyLocation known) throws IOException {
    byte[] before = known.filled();
    Object newest = columnOf(known.ordering());
    if (before == null || newest == null) {
      return late;
    }
    GenericRowData row = decode(late);
    byte[] after = before.clone();
    boolean isEmpty = true;
    for (int i = 0; i < count; i++) {
      if (i == ordering) {
        row.setField(i, newest);
      } else if (isOfKey[i] || row.isNullAt(i)) {
        continue;
      } else if (i < 8 * before.length && isSet(before, i)) {
        row.setField(i, null);
      } else {
        after = i < 8 * after.length ? after : Arrays.copyOf(after, (count + 7) / 8);
        set(after, i);
        isEmpty = false;
      }
    }
    if (isEmpty) {
      return null;
    }
    known.setFilled(share(after));
    body.reset();
    encoder.encode(row, body);
    return late.with(known.ordering(), body);
  }

  private GenericRowData decode(HudiRecord record) throws IOException {
    return decoder.decode(record.bytes(), record.bodyOffset(), record.bodyLength());
  }

  private byte[] share(byte[] filled) {
    Mask mask = new Mask(filled);
    byte[] known = shared.get(mask);
    if (known != null) {
      return known;
    }
    if (shared.size() < MOST_SHARED) {
      shared.put(mask, filled);
    }
    return filled;
  }

  private static boolean isSet(byte[] bits, int i) {
    return (bits[i >> 3] & (1 << (i & 7))) != 0;
  }

  private static void set(byte[] bits, int i) {
    bits[i >> 3] |= (byte) (1 << (i & 7));
  }

  /** An ordering value as the column has it; null if it is none of this column. */
  @Nullable
  private Object columnOf(OrderingValue value) {
    return switch (value.kind()) {
      case INT ->
          switch (orderingType.getTypeRoot()) {
            case TINYINT -> (byte) value.longValue();
            case SMALLINT -> (short) value.longValue();
            case INTEGER, DATE -> (int) value.longValue();
            default -> null;
          };
      case LONG ->
          switch (orderingType.getTypeRoot()) {
            case BIGINT -> value.longValue();
            case TIMESTAMP_WITHOUT_TIME_ZONE, TIMESTAMP_WITH_LOCAL_TIME_ZONE ->
                time(value.longValue());
            default -> null;
          };
      case BOOLEAN, FLOAT, DOUBLE -> value.value();
      case STRING -> value.value() instanceof byte[] text ? StringData.fromBytes(text) : null;
      case BYTES -> value.value();
      case DECIMAL ->
          value.value() instanceof BigDecimal number && orderingType instanceof DecimalType type
              ? DecimalData.fromBigDecimal(number, type.getPrecision(), type.getScale())
              : null;
      case NONE, LIST -> null;
    };
  }

  private TimestampData time(long units) {
    return LogicalTypeChecks.getPrecision(orderingType) <= 3
        ? TimestampData.fromEpochMillis(units)
        : TimestampData.fromEpochMillis(
            Math.floorDiv(units, 1000L), (int) Math.floorMod(units, 1000L) * 1000);
  }
}
