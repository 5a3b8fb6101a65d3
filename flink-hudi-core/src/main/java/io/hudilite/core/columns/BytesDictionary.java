package io.hudilite.core.columns;

import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/** The different texts, or values of bytes, of a column. */
final class BytesDictionary implements ValueDictionary {
  private static final int FIRST_SLOTS = 64;

  /** All values, each behind its length in four bytes. */
  private final PageBytes values = new PageBytes();

  /** Where the length of each value stands. */
  private int[] starts = new int[FIRST_SLOTS / 2];

  private int[] hashes = new int[FIRST_SLOTS / 2];

  /** Number of the value and one, zero for none; never more than half full. */
  private int[] slots = new int[FIRST_SLOTS];

  private int size;
  private int last;

  /** Number of a value, which is new if it is the last one. */
  int idOf(byte[] source, int offset, int length) {
    if (size > 0 && is(last, source, offset, length)) {
      return last; // values of one file or one commit
    }
    int hash = hash(source, offset, length);
    int mask = slots.length - 1;
    int slot = hash & mask;
    while (slots[slot] != 0) {
      int id = slots[slot] - 1;
      if (hashes[id] == hash && is(id, source, offset, length)) {
        last = id;
        return id;
      }
      slot = (slot + 1) & mask;
    }
    if (size == starts.length) {
      grow();
      return idOf(source, offset, length);
    }
    starts[size] = values.size();
    hashes[size] = hash;
    values.addInt(length);
    values.add(source, offset, length);
    last = size;
    slots[slot] = ++size;
    return last;
  }

  private boolean is(int id, byte[] source, int offset, int length) {
    int from = offsetOf(id);
    return lengthOf(id) == length
        && Arrays.equals(values.array(), from, from + length, source, offset, offset + length);
  }

  private static int hash(byte[] source, int offset, int length) {
    long hash = length;
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = (hash ^ PageBytes.longAt(source, at)) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    for (; at < end; at++) {
      hash = (hash ^ source[at]) * 0x9E3779B97F4A7C15L;
      hash ^= hash >>> 29;
    }
    return (int) (hash ^ (hash >>> 32));
  }

  private void grow() {
    starts = Arrays.copyOf(starts, 2 * starts.length);
    hashes = Arrays.copyOf(hashes, 2 * hashes.length);
    slots = new int[2 * slots.length];
    int mask = slots.length - 1;
    for (int id = 0; id < size; id++) {
      int slot = hashes[id] & mask;
      while (slots[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      slots[slot] = id + 1;
    }
  }

  /** Holds the values, at their offsets. */
  byte[] array() {
    return values.array();
  }

  int offsetOf(int id) {
    return starts[id] + Integer.BYTES;
  }

  int lengthOf(int id) {
    return values.intAt(starts[id]);
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public int bytes() {
    return values.size();
  }

  @Override
  public int bytesOf(int id) {
    return Integer.BYTES + lengthOf(id);
  }

  @Override
  public void addTo(PageBytes page, int id) {
    page.add(values.array(), starts[id], bytesOf(id));
  }

  @Override
  public BytesInput toPage() {
    return values.toInput();
  }
}
