package io.hudilite.source.order;

import static java.util.Objects.requireNonNull;

import javax.annotation.Nullable;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

/** The record key columns of a row. */
public final class KeyColumns
    implements KeySelector<RowData, RowData>, ResultTypeQueryable<RowData> {
  private static final long serialVersionUID = 1L;

  private final RowType keyType;
  private final int[] positions;
  @Nullable private transient RowDataSerializer serializer;
  @Nullable private transient ProjectedRowData projected;

  /**
   * @param positions of the key columns in rows of this type; at least one
   */
  public KeyColumns(RowType rowType, int[] positions) {
    requireNonNull(rowType, "rowType");
    if (positions.length == 0) {
      throw new IllegalArgumentException("A key needs columns");
    }
    this.positions = positions.clone();
    LogicalType[] types = new LogicalType[positions.length];
    String[] names = new String[positions.length];
    for (int i = 0; i < positions.length; i++) {
      types[i] = rowType.getTypeAt(positions[i]);
      names[i] = rowType.getFieldNames().get(positions[i]);
    }
    this.keyType = RowType.of(types, names);
  }

  @Override
  public RowData getKey(RowData row) {
    if (serializer == null || projected == null) {
      serializer = new RowDataSerializer(keyType);
      projected = ProjectedRowData.from(positions);
    }
    RowData key = serializer.toBinaryRow(projected.replaceRow(row)).copy();
    key.setRowKind(org.apache.flink.types.RowKind.INSERT); // a deleted key is the same key
    return key;
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return InternalTypeInfo.of(keyType);
  }
}
