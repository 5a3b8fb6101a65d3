package io.hudilite.core.columns;

import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/** The different numbers of a column, told apart by their bits. */
final class NumberDictionary implements ValueDictionary {
  private static final int FIRST_SLOTS = 64;

  private final int width;
  private long[] values = new long[FIRST_SLOTS / 2];

  /** Number of the value and one, zero for none; never more than half full. */
  private int[] slots = new int[FIRST_SLOTS];

  private int size;

  /**
   * @param width of a number in bytes, 4 or 8
   */
  NumberDictionary(int width) {
    this.width = width;
  }

  /** Number of a value, which is new if it is the last one. */
  int idOf(long value) {
    int mask = slots.length - 1;
    int slot = slotOf(value, mask);
    while (slots[slot] != 0) {
      int id = slots[slot] - 1;
      if (values[id] == value) {
        return id;
      }
      slot = (slot + 1) & mask;
    }
    if (size == values.length) {
      grow();
      return idOf(value);
    }
    values[size] = value;
    slots[slot] = ++size;
    return size - 1;
  }

  private static int slotOf(long value, int mask) {
    long mixed = (value ^ (value >>> 32)) * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 40) & mask;
  }

  private void grow() {
    values = Arrays.copyOf(values, 2 * values.length);
    slots = new int[2 * slots.length];
    int mask = slots.length - 1;
    for (int id = 0; id < size; id++) {
      int slot = slotOf(values[id], mask);
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = id + 1;
    }
  }

  long value(int id) {
    return values[id];
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int bytes() {
    return size * width;
  }

  @Override
  public int bytesOf(int id) {
    return width;
  }

  @Override
  public void addTo(PageBytes page, int id) {
    if (width == Integer.BYTES) {
      page.addInt((int) values[id]);
    } else {
      page.addLong(values[id]);
    }
  }

  @Override
  public BytesInput toPage() {
    PageBytes page = new PageBytes();
    for (int id = 0; id < size; id++) {
      addTo(page, id);
    }
    return page.toInput();
  }
}
