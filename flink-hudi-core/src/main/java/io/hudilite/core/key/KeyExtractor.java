package io.hudilite.core.key;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * Takes record key, partition path and ordering value out of rows of the table's type. The key of
 * several columns is {@code a:1,b:2}, without escaping, as Hudi has it: two keys whose values hold
 * {@code ,} and {@code :} in just the wrong way may have one text. Reuses buffers: not safe for use
 * by several threads.
 */
public final class KeyExtractor {
  /** Source: KeyGenUtils.NULL_RECORDKEY_PLACEHOLDER and its neighbour. */
  static final String NULL_VALUE = "__null__";

  static final String EMPTY_VALUE = "__empty__";

  /** A power of two. */
  private static final int KNOWN_PATHS = 64;

  private static final byte[] NULL_BYTES = NULL_VALUE.getBytes(StandardCharsets.UTF_8);
  private static final byte[] EMPTY_BYTES = EMPTY_VALUE.getBytes(StandardCharsets.UTF_8);

  private final boolean isHiveStyle;
  private final boolean isUrlEncoded;
  private final byte[] defaultPartition;
  private final boolean keyHasFieldNames;

  private final FieldText[] keyFields;
  private final int[] keyIndexes;
  private final byte[][] keyPrefixes;

  /** Null where a column stands as a formatted time. */
  private final FieldText[] partitionFields;

  /** Null where a column stands as it is. */
  private final TimeText[] timeFields;

  private final String[] partitionColumns;
  private final int[] partitionIndexes;
  private final byte[][] partitionPrefixes;
  private final String[] orderingColumns;
  private final int[] orderingIndexes;
  private final OrderingReader[] orderingReaders;

  private final AvroBuffer keyScratch = new AvroBuffer();
  private final AvroBuffer pathScratch = new AvroBuffer();

  /** Paths seen lately, each in the place that its bytes hash to. */
  private final KnownPath[] knownPaths = new KnownPath[KNOWN_PATHS];

  /**
   * @throws HudiTableException if a key, partition or ordering column has a type that cannot be
   *     one, or the key generator cannot be written
   */
  public KeyExtractor(TableSchema schema, KeyFormat format) {
    this(schema, format, schema.rowType());
  }

  /**
   * The same for rows whose timestamps have fewer digits than the table stores.
   *
   * @param schema with the types that the table stores
   * @param rows the type of the rows: the same columns
   * @throws HudiTableException as above
   */
  public KeyExtractor(TableSchema schema, KeyFormat format, RowType rows) {
    switch (format.keyGenerator()) {
      case SIMPLE, NON_PARTITION, COMPLEX, COMPLEX_WITH_FIELD_NAME, TIMESTAMP, CUSTOM -> {}
      case UNKNOWN ->
          throw new HudiTableException(
              "The table's config does not tell how partition paths are made of %s: its key generator is a class that is not known here, or 'hoodie.keygen.timebased.*' is missing. Write to the table with Hudi itself, or into a new table."
                  .formatted(schema.partitionColumns()));
    }
    isHiveStyle = format.hiveStyle();
    isUrlEncoded = format.urlEncode();
    defaultPartition = format.defaultPartitionName().getBytes(StandardCharsets.UTF_8);

    List<String> keys = schema.recordKeyColumns();
    keyHasFieldNames =
        keys.size() > 1 || format.keyGenerator() == KeyGenerator.COMPLEX_WITH_FIELD_NAME;
    keyIndexes = schema.indexesOf(keys);
    keyFields = fields("record key", schema, keys, rows);
    keyPrefixes = prefixes(keys, ":");
    partitionIndexes = schema.indexesOf(schema.partitionColumns());
    partitionFields = partitionFields(schema, format, rows);
    timeFields = timeFields(schema, format, rows);
    partitionColumns = schema.partitionColumns().toArray(new String[0]);
    partitionPrefixes = prefixes(schema.partitionColumns(), "=");
    orderingColumns = schema.orderingColumns().toArray(new String[0]);
    orderingIndexes = schema.indexesOf(schema.orderingColumns());
    orderingReaders = new OrderingReader[orderingColumns.length];
    for (int i = 0; i < orderingReaders.length; i++) {
      orderingReaders[i] =
          OrderingReader.of(
              orderingColumns[i],
              rows.getTypeAt(orderingIndexes[i]),
              schema.rowType().getTypeAt(orderingIndexes[i]));
    }
  }

  /**
   * The path of a partition by the text of its values, or of the folder of all partitions that have
   * these values.
   *
   * @param values of the first partition columns, or of all
   * @throws HudiTableException if other columns are named, or a text is no value of its column
   */
  public static String partitionPath(
      TableSchema schema, KeyFormat format, Map<String, String> values) {
    List<String> columns = schema.partitionColumns();
    List<String> first = columns.subList(0, Math.min(values.size(), columns.size()));
    if (!values.keySet().equals(Set.copyOf(first))) {
      throw new HudiTableException(
          "PARTITION %s does not name the first of the partition columns %s. Name them from the first on."
              .formatted(values, columns));
    }
    GenericRowData row = new GenericRowData(schema.rowType().getFieldCount());
    for (String column : first) {
      int index = schema.rowType().getFieldIndex(column);
      String text = values.get(column);
      row.setField(
          index,
          text == null
              ? null
              : FieldText.of("partition", column, schema.rowType().getTypeAt(index)).parse(text));
    }
    return new KeyExtractor(
            new TableSchema(schema.rowType(), schema.recordKeyColumns(), first, List.of()), format)
        .partitionPath(row);
  }

  private static FieldText[] fields(
      String role, TableSchema schema, List<String> columns, RowType rows) {
    return columns.stream()
        .map(
            column ->
                FieldText.of(
                    role,
                    column,
                    rows.getTypeAt(rows.getFieldIndex(column)),
                    schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column))))
        .toArray(FieldText[]::new);
  }

  private static FieldText[] partitionFields(TableSchema schema, KeyFormat format, RowType rows) {
    return schema.partitionColumns().stream()
        .map(
            column ->
                format.time(column).isPresent()
                    ? null
                    : fields("partition", schema, List.of(column), rows)[0])
        .toArray(FieldText[]::new);
  }

  private static TimeText[] timeFields(TableSchema schema, KeyFormat format, RowType rows) {
    return schema.partitionColumns().stream()
        .map(
            column ->
                format
                    .time(column)
                    .map(
                        time ->
                            new TimeText(
                                time,
                                rows.getTypeAt(rows.getFieldIndex(column)),
                                schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column))))
                    .orElse(null))
        .toArray(TimeText[]::new);
  }

  private static byte[][] prefixes(List<String> columns, String separator) {
    return columns.stream()
        .map(column -> (column + separator).getBytes(StandardCharsets.UTF_8))
        .toArray(byte[][]::new);
  }

  /**
   * Appends the record key as UTF-8 text, without a length. Not for tables without key columns.
   *
   * @throws HudiTableException if the key is null or empty; names the column
   */
  public void recordKey(RowData row, AvroBuffer out) {
    if (keyFields.length == 0) {
      throw new IllegalStateException("The table has no key columns");
    }
    if (!keyHasFieldNames) {
      int start = out.size();
      if (!row.isNullAt(keyIndexes[0])) {
        keyFields[0].append(row, keyIndexes[0], out);
      }
      if (out.size() == start) {
        throw noKey(row);
      }
      return;
    }
    boolean hasValue = false;
    for (int i = 0; i < keyFields.length; i++) {
      if (i > 0) {
        out.writeByte(',');
      }
      out.writeRaw(keyPrefixes[i]);
      if (row.isNullAt(keyIndexes[i])) {
        out.writeRaw(NULL_BYTES);
        continue;
      }
      int start = out.size();
      keyFields[i].append(row, keyIndexes[i], out);
      if (out.size() == start) {
        out.writeRaw(EMPTY_BYTES);
      } else {
        hasValue = true;
      }
    }
    if (!hasValue) {
      throw noKey(row);
    }
  }

  private HudiTableException noKey(RowData row) {
    List<String> columns = new ArrayList<>();
    for (int i = 0; i < keyFields.length; i++) {
      columns.add(
          "'%s' is %s"
              .formatted(
                  keyFields[i].column(), row.isNullAt(keyIndexes[i]) ? "null" : "an empty string"));
    }
    return new HudiTableException(
        "A row has no record key: %s. Filter such rows in the query, or fill the column with COALESCE."
            .formatted(String.join(", ", columns)));
  }

  /** The record key as text. */
  public String recordKey(RowData row) {
    keyScratch.reset();
    recordKey(row, keyScratch);
    return text(keyScratch);
  }

  private static String text(AvroBuffer buffer) {
    return new String(buffer.array(), 0, buffer.size(), StandardCharsets.UTF_8);
  }

  /**
   * The partition path, {@code ""} if the table is not partitioned. Rows of one partition mostly
   * get the same string object.
   *
   * @throws HudiTableException if the values make no path inside the table's folder
   */
  public String partitionPath(RowData row) {
    if (partitionFields.length == 0) {
      return "";
    }
    AvroBuffer out = pathScratch;
    out.reset();
    for (int i = 0; i < partitionFields.length; i++) {
      if (i > 0) {
        out.writeByte('/');
      }
      if (isHiveStyle) {
        out.writeRaw(partitionPrefixes[i]);
      }
      int start = out.size();
      if (timeFields[i] != null) {
        timeFields[i].append(row, partitionIndexes[i], out);
      } else if (!row.isNullAt(partitionIndexes[i])) {
        partitionFields[i].append(row, partitionIndexes[i], out);
      }
      if (isUrlEncoded) {
        PathText.escape(out, start);
      }
      if (out.size() == start) {
        out.writeRaw(defaultPartition);
      }
    }
    int place = place(out);
    KnownPath known = knownPaths[place];
    if (known == null || !known.hasBytes(out)) {
      String path = text(out);
      requirePath(path);
      known = new KnownPath(out.toByteArray(), path);
      knownPaths[place] = known;
    }
    return known.path;
  }

  private static int place(AvroBuffer path) {
    int hash = 1;
    byte[] bytes = path.array();
    for (int i = 0; i < path.size(); i++) {
      hash = 31 * hash + bytes[i];
    }
    return (hash ^ (hash >>> 16)) & (KNOWN_PATHS - 1);
  }

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record KnownPath(byte[] bytes, String path) {
    private boolean hasBytes(AvroBuffer other) {
      return Arrays.equals(bytes, 0, bytes.length, other.array(), 0, other.size());
    }
  }

  /** A value with slashes, dots or line breaks must not lead out of the table or break markers. */
  private void requirePath(String path) {
    for (String segment : path.split("/", -1)) {
      if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
        throw noPath(path, "it has an empty part, or one that is '.' or '..'");
      }
    }
    if (path.equals(".hoodie") || path.startsWith(".hoodie/")) {
      throw noPath(path, "that folder holds the table's timeline");
    }
    if (path.chars().anyMatch(c -> c < 0x20)) {
      throw noPath(path, "it has control characters");
    }
  }

  private HudiTableException noPath(String path, String why) {
    List<String> columns = List.of(partitionColumns);
    return new HudiTableException(
        "The partition columns %s of a row give the path '%s', which cannot be used: %s. Change the values in the query, or create the table with 'hoodie.datasource.write.partitionpath.urlencode' and 'hoodie.datasource.write.hive_style_partitioning' = 'true'."
            .formatted(columns, path, why));
  }

  /**
   * The ordering value, {@link OrderingValue#NONE} if the table has no ordering column.
   *
   * @throws HudiTableException if it is null; names key, column and the ways out
   */
  public OrderingValue ordering(RowData row) {
    if (orderingReaders.length == 0) {
      return OrderingValue.NONE;
    }
    if (orderingReaders.length == 1) {
      return ordering(row, 0);
    }
    List<OrderingValue> values = new ArrayList<>(orderingReaders.length);
    for (int i = 0; i < orderingReaders.length; i++) {
      values.add(ordering(row, i));
    }
    return OrderingValue.ofList(values);
  }

  private OrderingValue ordering(RowData row, int i) {
    if (row.isNullAt(orderingIndexes[i])) {
      throw new HudiTableException(
          "The row with key '%s' has null in the ordering field '%s', so it cannot be told whether it is newer than others. Fill the column in the query with COALESCE, or set 'hoodie.write.record.merge.mode' to COMMIT_TIME_ORDERING."
              .formatted(recordKey(row), orderingColumns[i]));
    }
    return orderingReaders[i].read(row, orderingIndexes[i]);
  }
}
