package io.hudilite.core.merge;

import io.hudilite.core.avro.AvroBinaryRowDecoder;
import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.avro.NumberField;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeBehavior;
import io.hudilite.core.key.OrderingValue.Kind;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.schema.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * Where the records of one writer schema have what merging needs. The key is found by skipping the
 * strings before it, so that a record that loses is never decoded. Not safe for use by several
 * threads.
 */
final class RecordLayout implements BodyFormat {
  /** Operations after which the row of a key is gone, or is about to be replaced. */
  private static final Set<StringData> GONE =
      Set.of(StringData.fromString("D"), StringData.fromString("-U"));

  private final Schema schema;
  private final int keyField;

  /** For each field that is passed over to find the key, and what is kept behind it. */
  private final int[] nullBranches;

  @Nullable private final AvroRowDecoder orderingDecoder;

  /** Fields of the record before those that {@link #orderingDecoder} begins with. */
  private final int fieldsPassed;

  @Nullable private final OrderingColumns ordering;

  /** The way to the ordering value if it is stored as the number as which it counts. */
  @Nullable private final NumberField numberField;

  private final Kind numberKind;
  private final int deletedPosition;
  private final int operationPosition;

  /** Position of the column whose text may say that the record deletes; -1 if there is none. */
  private final int markerPosition;

  private final StringData deleteMarker;
  private final List<String> columnNames;

  /** Which columns of {@link #read} a partial record has; null if it has all. */
  @Nullable private final boolean[] has;

  private final RowType read;
  @Nullable private AvroRowDecoder rowDecoder;

  /** Used instead where it can be. */
  @Nullable private AvroBinaryRowDecoder plainDecoder;

  private boolean hasPlainDecoder;

  /** Whether the first fields are left out of records that are kept, but for the key. */
  private final boolean keepsFromKey;

  private int keyOffset;
  private int keyLength;

  /**
   * @param read the columns to decode of winning records
   * @param isPartial whether the records have some of their columns only
   */
  RecordLayout(
      Schema schema,
      TableSchema table,
      boolean usesOrdering,
      MergeBehavior behavior,
      RowType read,
      boolean isPartial) {
    this.schema = schema;
    this.read = read;
    this.columnNames = names(schema);
    this.has = isPartial ? BodyFormat.presence(columnNames, read) : null;
    List<RowType.RowField> fields = new ArrayList<>();
    List<String> orderingNames = usesOrdering ? table.orderingColumns() : List.of();
    requireColumns(schema, orderingNames);
    for (String name : orderingNames) {
      fields.add(
          new RowType.RowField(
              name, table.rowType().getTypeAt(table.rowType().getFieldIndex(name))));
    }
    Schema.Field deleted = schema.getField(SliceColumns.IS_DELETED);
    if (deleted != null && isBoolean(deleted.schema())) {
      int own = orderingNames.indexOf(SliceColumns.IS_DELETED);
      deletedPosition = own >= 0 ? own : fields.size();
      if (own < 0) {
        fields.add(new RowType.RowField(SliceColumns.IS_DELETED, new BooleanType()));
      }
    } else {
      deletedPosition = -1;
    }
    if (schema.getField(SliceColumns.OPERATION) != null) {
      operationPosition = fields.size();
      fields.add(
          new RowType.RowField(SliceColumns.OPERATION, new VarCharType(VarCharType.MAX_LENGTH)));
    } else {
      operationPosition = -1;
    }
    deleteMarker = StringData.fromString(behavior.deleteMarker());
    if (!behavior.deleteField().isEmpty() && schema.getField(behavior.deleteField()) != null) {
      markerPosition = fields.size();
      fields.add(
          new RowType.RowField(behavior.deleteField(), new VarCharType(VarCharType.MAX_LENGTH)));
    } else {
      markerPosition = -1;
    }
    RowType decoded = new RowType(false, fields);
    this.keyField = keyField(schema);
    Set<String> looked = new HashSet<>(read.getFieldNames());
    looked.addAll(decoded.getFieldNames());
    int passed = stringsPassed(schema, keyField, looked);
    this.keepsFromKey = passed > keyField;
    this.nullBranches = nullBranches(schema, Math.max(passed, keyField + 1));
    boolean isBehindKey =
        fields.stream().allMatch(f -> schema.getField(f.getName()).pos() >= nullBranches.length);
    this.fieldsPassed = isBehindKey ? nullBranches.length : 0;
    this.orderingDecoder =
        fields.isEmpty() ? null : AvroRowDecoder.createBehind(schema, fieldsPassed, decoded);
    this.ordering =
        orderingNames.isEmpty()
            ? null
            : new OrderingColumns(orderingNames, decoded, table.rowType());
    if (orderingNames.size() == 1 && !mayDelete()) {
      LogicalType type = decoded.getTypeAt(0);
      numberKind =
          type.is(LogicalTypeRoot.INTEGER) || type.is(LogicalTypeRoot.DATE) ? Kind.INT : Kind.LONG;
      numberField = NumberField.find(schema, fieldsPassed, orderingNames.get(0), type);
    } else {
      numberKind = Kind.NONE;
      numberField = null;
    }
  }

  /** Of records that were made out of others and hold just the columns that are read. */
  private RecordLayout(
      Schema schema, RowType read, List<String> names, boolean isPartial, boolean keepsFromKey) {
    this.schema = schema;
    this.read = read;
    this.columnNames = List.copyOf(names);
    this.has = isPartial ? BodyFormat.presence(columnNames, read) : null;
    this.keyField = -1;
    this.nullBranches = new int[0];
    this.fieldsPassed = 0;
    this.keepsFromKey = keepsFromKey;
    this.orderingDecoder = null;
    this.ordering = null;
    this.numberKind = Kind.NONE;
    this.numberField = null;
    this.deletedPosition = -1;
    this.operationPosition = -1;
    this.markerPosition = -1;
    this.deleteMarker = StringData.fromString("");
  }

  /**
   * Of records that were made out of others.
   *
   * @param read the columns that they hold and that are decoded of them; all nullable
   * @param names the columns that they have values of
   */
  static RecordLayout ofCombined(RowType read, List<String> names, boolean isPartial) {
    return new RecordLayout(AvroSchemas.toAvroOfColumns(read), read, names, isPartial, false);
  }

  /** The same for records that are kept behind their keys. */
  static RecordLayout ofKeyAndRow(RowType read, List<String> names, boolean isPartial) {
    return new RecordLayout(AvroSchemas.toAvroOfColumns(read), read, names, isPartial, true);
  }

  /**
   * How many fields of a record are left out of what is kept: strings of which nothing is looked
   * at, but for the key; 0 if there are others before the key.
   */
  private static int stringsPassed(Schema schema, int keyField, Set<String> looked) {
    List<Schema.Field> fields = schema.getFields();
    int passed = 0;
    while (passed < fields.size()
        && !looked.contains(fields.get(passed).name())
        && isString(fields.get(passed).schema())) {
      passed++;
    }
    return passed > keyField ? passed : 0;
  }

  @Override
  @Nullable
  public boolean[] has() {
    return has;
  }

  /**
   * Finds the key of a record: {@link #keyOffset}, {@link #keyLength}. If less than the record is
   * to be kept, it moves the key to the begin of that, over what is left out.
   */
  void findKey(byte[] bytes, int offset, int length) throws IOException {
    int end = offset + length;
    int at = offset;
    for (int i = 0; i < nullBranches.length; i++) {
      boolean isNull = false;
      if (nullBranches[i] >= 0) {
        isNull = at >= end || bytes[at] == nullBranches[i] << 1;
        at++;
      }
      long size = 0;
      if (!isNull) {
        int shift = 0;
        byte next;
        do {
          if (at >= end || shift > 28) {
            throw damaged(length);
          }
          next = bytes[at++];
          size |= (long) (next & 0x7F) << shift;
          shift += 7;
        } while (next < 0);
        boolean negative = (size & 1) != 0;
        size >>>= 1;
        if (negative || size > end - at) {
          throw damaged(length);
        }
      }
      if (i == keyField) {
        if (isNull) {
          throw new MalformedAvroException("A record has no record key");
        }
        keyOffset = at;
        keyLength = (int) size;
      }
      at += (int) size;
    }
    if (keepsFromKey && keyOffset + keyLength != at) {
      System.arraycopy(bytes, keyOffset, bytes, at - keyLength, keyLength);
      keyOffset = at - keyLength;
    }
  }

  int keyOffset() {
    return keyOffset;
  }

  int keyLength() {
    return keyLength;
  }

  /** Whether records may delete, so that each one's version is to be read. */
  boolean mayDelete() {
    return deletedPosition >= 0 || operationPosition >= 0 || markerPosition >= 0;
  }

  @Override
  public void readVersion(byte[] bytes, int offset, int length, int keyEnd, Version target)
      throws IOException {
    if (orderingDecoder == null) {
      target.setNone(false);
      return;
    }
    int from = fieldsPassed == 0 ? offset : keyEnd;
    if (numberField != null) {
      if (numberField.read(bytes, from, offset + length)) {
        target.setNumber(false, numberKind, numberField.number());
      } else {
        target.setNumber(false, Kind.INT, 0);
      }
      return;
    }
    RowData row = orderingDecoder.decode(bytes, from, offset + length - from);
    boolean isDelete =
        (deletedPosition >= 0 && !row.isNullAt(deletedPosition) && row.getBoolean(deletedPosition))
            || (operationPosition >= 0
                && !row.isNullAt(operationPosition)
                && isGone(row.getString(operationPosition)))
            || (markerPosition >= 0
                && !row.isNullAt(markerPosition)
                && row.getString(markerPosition).equals(deleteMarker));
    if (ordering == null) {
      target.setNone(isDelete);
    } else {
      ordering.read(row, isDelete, target);
    }
  }

  /** Where that begins which is kept of the record whose key was found last. */
  int keptFrom(int offset) {
    return keepsFromKey ? keyOffset : offset;
  }

  @Override
  public RowData decode(byte[] bytes, int offset, int length, int keyLength) throws IOException {
    if (rowDecoder == null) {
      rowDecoder = AvroRowDecoder.createBehind(schema, fieldsLeftOut(), read);
    }
    if (!hasPlainDecoder) {
      plainDecoder = AvroBinaryRowDecoder.createIfPlain(schema, fieldsLeftOut(), read);
      hasPlainDecoder = true;
    }
    int passed = keepsFromKey ? keyLength : 0;
    return plainDecoder != null
        ? plainDecoder.decode(bytes, offset + passed, length - passed)
        : rowDecoder.decode(bytes, offset + passed, length - passed);
  }

  @Override
  public RowData decodeNew(byte[] bytes, int offset, int length, int keyLength) throws IOException {
    if (rowDecoder == null) {
      rowDecoder = AvroRowDecoder.createBehind(schema, fieldsLeftOut(), read);
    }
    int passed = keepsFromKey ? keyLength : 0;
    return rowDecoder.decode(bytes, offset + passed, length - passed);
  }

  private int fieldsLeftOut() {
    return keepsFromKey ? nullBranches.length : 0;
  }

  @Override
  public List<String> columnNames() {
    return columnNames;
  }

  static List<String> names(Schema schema) {
    return schema.getFields().stream().map(Schema.Field::name).toList();
  }

  private static int keyField(Schema schema) {
    requireKey(names(schema));
    return schema.getField(MetaColumns.RECORD_KEY).pos();
  }

  /** Checks that records with these columns have a key. */
  static void requireKey(List<String> names) {
    if (!names.contains(MetaColumns.RECORD_KEY)) {
      throw new HudiTableException(
          ("The records of a log block have no '%s', only %s: the table was written with"
                  + " 'hoodie.populate.meta.fields' = false, which cannot be merged here.")
              .formatted(MetaColumns.RECORD_KEY, names));
    }
  }

  /** Checks that records have the ordering columns. */
  static void requireColumns(Schema schema, List<String> ordering) {
    for (String name : ordering) {
      if (schema.getField(name) == null) {
        throw new HudiTableException(
            "The ordering field '%s' is not in the records of a log block, which have %s."
                .formatted(name, names(schema)));
      }
    }
  }

  /** Whether a row of this {@link SliceColumns#OPERATION} is none any more. */
  static boolean isGone(StringData operation) {
    return GONE.contains(operation);
  }

  /**
   * For each of the first fields, the branch of its union that is null, or -1 if it is no union.
   */
  private static int[] nullBranches(Schema schema, int count) {
    int[] branches = new int[count];
    for (int i = 0; i < branches.length; i++) {
      Schema type = schema.getFields().get(i).schema();
      if (!isString(type)) {
        throw new HudiTableException(
            "The column '%s' before the record key of a log block is no string but %s."
                .formatted(schema.getFields().get(i).name(), type));
      }
      branches[i] =
          !type.isUnion() ? -1 : type.getTypes().get(0).getType() == Schema.Type.NULL ? 0 : 1;
    }
    return branches;
  }

  /** Whether a field is a string, or one that may be null. */
  private static boolean isString(Schema type) {
    if (!type.isUnion()) {
      return type.getType() == Schema.Type.STRING;
    }
    List<Schema> branches = type.getTypes();
    return branches.size() == 2
        && branches.stream().anyMatch(branch -> branch.getType() == Schema.Type.STRING)
        && branches.stream().anyMatch(branch -> branch.getType() == Schema.Type.NULL);
  }

  static boolean isBoolean(Schema type) {
    return type.isUnion()
        ? type.getTypes().stream().anyMatch(branch -> branch.getType() == Schema.Type.BOOLEAN)
        : type.getType() == Schema.Type.BOOLEAN;
  }

  private static MalformedAvroException damaged(int length) {
    return new MalformedAvroException(
        "A record of " + length + " bytes ends before its record key");
  }
}
