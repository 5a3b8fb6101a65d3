package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * The type of a stream of records, or of the keys it is partitioned by. Both forms of {@code
 * createSerializer} are there, as Flink 1.20 calls the one and 2.x only knows the other.
 */
public final class RecordTypeInfo<T> extends TypeInformation<T> {
  private static final long serialVersionUID = 1L;

  public static final RecordTypeInfo<RecordKey> KEY =
      new RecordTypeInfo<>(RecordKey.class, RecordKeySerializer.INSTANCE);

  /**
   * Records with bodies of these columns.
   *
   * @param path of the table, for messages
   * @param rowType of the bodies, as the table stores them
   */
  public static RecordTypeInfo<HudiRecord> ofRecords(String path, RowType rowType) {
    return new RecordTypeInfo<>(HudiRecord.class, new HudiRecordSerializer(path, rowType));
  }

  private final Class<T> type;
  private final TypeSerializer<T> serializer;

  private RecordTypeInfo(Class<T> type, TypeSerializer<T> serializer) {
    this.type = requireNonNull(type, "type");
    this.serializer = requireNonNull(serializer, "serializer");
  }

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<T> getTypeClass() {
    return type;
  }

  @Override
  public boolean isKeyType() {
    return type == RecordKey.class;
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return serializer;
  }

  // Without @Override: Flink 2.x has no such method.
  @SuppressWarnings({"MissingOverride", "deprecation"})
  public TypeSerializer<T> createSerializer(ExecutionConfig config) {
    return serializer;
  }

  @Override
  public String toString() {
    return type.getSimpleName();
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof RecordTypeInfo<?> other && type == other.type;
  }

  @Override
  public int hashCode() {
    return type.hashCode();
  }

  @Override
  public boolean canEqual(Object o) {
    return o instanceof RecordTypeInfo;
  }
}
