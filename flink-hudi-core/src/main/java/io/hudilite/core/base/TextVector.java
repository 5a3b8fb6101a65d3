package io.hudilite.core.base;

import org.apache.flink.table.data.columnar.vector.BytesColumnVector;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.parquet.column.Dictionary;

/** Strings and bytes, which stay where they are: in their page, or in the dictionary. */
final class TextVector implements FlatVector {
  private final int batchRows;
  private final int[] ids;
  private byte[][] dictionary = {};
  private Texts texts;

  TextVector(int batchRows) {
    this.batchRows = batchRows;
    this.ids = new int[batchRows];
    this.texts = new Texts(batchRows);
  }

  private static final class Texts extends Nulls implements BytesColumnVector {
    private final byte[][] data;
    private final int[] offsets;
    private final int[] lengths;

    Texts(int rows) {
      super(rows);
      this.data = new byte[rows][];
      this.offsets = new int[rows];
      this.lengths = new int[rows];
    }

    private void set(int row, byte[] value) {
      data[row] = value;
      offsets[row] = 0;
      lengths[row] = value.length;
    }

    @Override
    public Bytes getBytes(int row) {
      return new Bytes(data[row], offsets[row], lengths[row]);
    }
  }

  @Override
  public ColumnVector vector() {
    return texts;
  }

  @Override
  public void renew() {
    texts = new Texts(batchRows);
  }

  @Override
  public void resetNulls() {
    texts.resetNulls();
  }

  @Override
  public void setNull(int row) {
    texts.setNull(row);
  }

  @Override
  public void startDictionary(Dictionary stored) {
    dictionary = new byte[stored.getMaxId() + 1][];
    for (int id = 0; id < dictionary.length; id++) {
      dictionary[id] = stored.decodeToBinary(id).getBytes();
    }
  }

  @Override
  public void readValues(FlatPages pages, int row, int count) {
    byte[] plain = pages.plain();
    if (plain != null) {
      for (int i = row; i < row + count; i++) {
        int length = (int) NumberVectors.INT.get(plain, pages.takePlain(Integer.BYTES));
        texts.data[i] = plain;
        texts.offsets[i] = pages.takePlain(length);
        texts.lengths[i] = length;
      }
    } else if (pages.ids() != null) {
      pages.ids().read(ids, 0, count);
      for (int i = 0; i < count; i++) {
        texts.set(row + i, dictionary[ids[i]]);
      }
    } else {
      for (int i = row; i < row + count; i++) {
        texts.set(i, pages.values().readBytes().getBytes());
      }
    }
  }

  @Override
  public void skipValues(FlatPages pages, int count) {
    byte[] plain = pages.plain();
    if (plain == null) {
      NumberVectors.skip(pages, count, 0, ids);
      return;
    }
    for (int i = 0; i < count; i++) {
      pages.takePlain((int) NumberVectors.INT.get(plain, pages.takePlain(Integer.BYTES)));
    }
  }
}
