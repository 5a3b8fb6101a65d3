package io.hudilite.core.base;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.DecimalColumnVector;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Decimals of up to 18 digits. */
final class DecimalVector implements FlatVector {
  private final PrimitiveTypeName physical;

  /** Bytes of a value. */
  private final int width;

  private final int batchRows;
  private final int[] ids;
  private long[] dictionary = {};
  private Decimals decimals;

  DecimalVector(PrimitiveType stored, int batchRows) {
    this.physical = stored.getPrimitiveTypeName();
    this.width =
        switch (physical) {
          case INT32 -> Integer.BYTES;
          case INT64 -> Long.BYTES;
          default -> stored.getTypeLength();
        };
    this.batchRows = batchRows;
    this.ids = new int[batchRows];
    renew();
  }

  private static final class Decimals extends Nulls implements DecimalColumnVector {
    private final long[] unscaled;

    Decimals(int rows) {
      super(rows);
      this.unscaled = new long[rows];
    }

    @Override
    public DecimalData getDecimal(int row, int precision, int scale) {
      return DecimalData.fromUnscaledLong(unscaled[row], precision, scale);
    }
  }

  @Override
  public ColumnVector vector() {
    return decimals;
  }

  @Override
  public void renew() {
    decimals = new Decimals(batchRows);
  }

  @Override
  public void resetNulls() {
    decimals.resetNulls();
  }

  @Override
  public void setNull(int row) {
    decimals.setNull(row);
  }

  @Override
  public void startDictionary(Dictionary stored) {
    dictionary = new long[stored.getMaxId() + 1];
    for (int id = 0; id < dictionary.length; id++) {
      dictionary[id] =
          switch (physical) {
            case INT32 -> stored.decodeToInt(id);
            case INT64 -> stored.decodeToLong(id);
            default -> bigEndian(stored.decodeToBinary(id).getBytesUnsafe(), 0);
          };
    }
  }

  @Override
  public void readValues(FlatPages pages, int row, int count) {
    long[] out = decimals.unscaled;
    byte[] plain = pages.plain();
    if (plain != null) {
      int at = pages.takePlain((long) count * width);
      for (int i = row; i < row + count; i++) {
        out[i] = plain(plain, at);
        at += width;
      }
    } else if (pages.ids() != null) {
      pages.ids().read(ids, 0, count);
      for (int i = 0; i < count; i++) {
        out[row + i] = dictionary[ids[i]];
      }
    } else {
      for (int i = row; i < row + count; i++) {
        out[i] =
            switch (physical) {
              case INT32 -> pages.values().readInteger();
              case INT64 -> pages.values().readLong();
              default -> bigEndian(pages.values().readBytes().getBytesUnsafe(), 0);
            };
      }
    }
  }

  private long plain(byte[] bytes, int at) {
    return switch (physical) {
      case INT32 -> (int) NumberVectors.INT.get(bytes, at);
      case INT64 -> (long) NumberVectors.LONG.get(bytes, at);
      default -> bigEndian(bytes, at);
    };
  }

  private long bigEndian(byte[] bytes, int at) {
    long value = bytes[at];
    for (int i = 1; i < width; i++) {
      value = value << 8 | (bytes[at + i] & 0xff);
    }
    return value;
  }

  @Override
  public void skipValues(FlatPages pages, int count) {
    NumberVectors.skip(pages, count, width, ids);
  }
}
