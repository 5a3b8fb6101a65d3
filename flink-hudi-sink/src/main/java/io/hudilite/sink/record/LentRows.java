package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.apache.flink.api.common.ExecutionConfig;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.common.typeutils.TypeSerializerSnapshot;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.api.transformations.PhysicalTransformation;
import org.apache.flink.streaming.runtime.partitioner.ForwardPartitioner;
import org.apache.flink.table.data.RowData;

/**
 * Hands rows to an operator as they are. Between chained operators Flink makes a deep copy of each
 * row, lest one of them change it or keep it; for one that only looks at the row while it has the
 * call, that is a third of what the way from source to record costs.
 *
 * <p>A type of its own between the two, whose serializer writes and reads as the real one does and
 * copies by returning what it got.
 */
public final class LentRows {
  private LentRows() {}

  /**
   * The same rows for an operator of the same parallelism, which must neither change nor keep them.
   */
  public static DataStream<RowData> of(DataStream<RowData> rows) {
    if (!(rows.getTransformation() instanceof PhysicalTransformation)
        || rows.getParallelism() < 1) {
      return rows; // behind a shuffle, whose partitioner must stay, there is no copy
    }
    Transformation<RowData> lent =
        new PartitionTransformation<>(rows.getTransformation(), new ForwardPartitioner<>());
    lent.setOutputType(new Type(rows.getType()));
    return new DataStream<>(rows.getExecutionEnvironment(), lent);
  }

  /** {@code real}, with a serializer that does not copy. */
  static final class Type extends TypeInformation<RowData> {
    private static final long serialVersionUID = 1L;

    private final TypeInformation<RowData> real;

    Type(TypeInformation<RowData> real) {
      this.real = requireNonNull(real, "real");
    }

    @Override
    public boolean isBasicType() {
      return real.isBasicType();
    }

    @Override
    public boolean isTupleType() {
      return real.isTupleType();
    }

    @Override
    public int getArity() {
      return real.getArity();
    }

    @Override
    public int getTotalFields() {
      return real.getTotalFields();
    }

    @Override
    public Class<RowData> getTypeClass() {
      return real.getTypeClass();
    }

    @Override
    public boolean isKeyType() {
      return real.isKeyType();
    }

    @Override
    public TypeSerializer<RowData> createSerializer(SerializerConfig config) {
      return new Serializer(real.createSerializer(config));
    }

    // Without @Override: Flink 2.x has no such method.
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public TypeSerializer<RowData> createSerializer(ExecutionConfig config) {
      return createSerializer(config.getSerializerConfig());
    }

    @Override
    public String toString() {
      return "Lent(" + real + ")";
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Type other && real.equals(other.real);
    }

    @Override
    public int hashCode() {
      return real.hashCode();
    }

    @Override
    public boolean canEqual(Object o) {
      return o instanceof Type;
    }
  }

  private static final class Serializer extends TypeSerializer<RowData> {
    private static final long serialVersionUID = 1L;

    private final TypeSerializer<RowData> real;

    private Serializer(TypeSerializer<RowData> real) {
      this.real = real;
    }

    @Override
    public RowData copy(RowData from) {
      return from;
    }

    @Override
    public RowData copy(RowData from, RowData reuse) {
      return from;
    }

    @Override
    public boolean isImmutableType() {
      return real.isImmutableType();
    }

    @Override
    public TypeSerializer<RowData> duplicate() {
      return new Serializer(real.duplicate());
    }

    @Override
    public RowData createInstance() {
      return real.createInstance();
    }

    @Override
    public int getLength() {
      return real.getLength();
    }

    @Override
    public void serialize(RowData row, DataOutputView target) throws IOException {
      real.serialize(row, target);
    }

    @Override
    public RowData deserialize(DataInputView source) throws IOException {
      return real.deserialize(source);
    }

    @Override
    public RowData deserialize(RowData reuse, DataInputView source) throws IOException {
      return real.deserialize(reuse, source);
    }

    @Override
    public void copy(DataInputView source, DataOutputView target) throws IOException {
      real.copy(source, target);
    }

    @Override
    public TypeSerializerSnapshot<RowData> snapshotConfiguration() {
      return real.snapshotConfiguration(); // never in state: no state is of this type
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Serializer other && real.equals(other.real);
    }

    @Override
    public int hashCode() {
      return real.hashCode();
    }
  }
}
