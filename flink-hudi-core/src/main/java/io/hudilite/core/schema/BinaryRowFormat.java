package io.hudilite.core.schema;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of Flink's binary rows, for those who write them where they are needed.
 *
 * <p>A binary row is, in the machine's byte order: the row kind in one byte, a bit for each null,
 * both together in whole longs; then a long for each column; then what does not fit into these.
 * Texts of up to seven bytes are inside their long, with {@code 0x80 | length} in its highest byte;
 * of longer ones it has position and length. Timestamps of more than three digits have their
 * milliseconds outside, and position and nanoseconds inside. Source: Flink's BinaryRowData and
 * AbstractBinaryWriter.
 */
public final class BinaryRowFormat {
  public static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  public static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int MAX_INLINE_BYTES = 7;

  private BinaryRowFormat() {}

  /** Whether rows can be written here: elsewhere their bytes are in another order. */
  public static boolean isOfThisMachine() {
    return ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;
  }

  /** Sets the bit of a null; bits begin behind the byte of the row kind. */
  public static void setNull(byte[] array, int row, int column) {
    array[row + ((column + 8) >> 3)] |= (byte) (1 << (column & 7));
  }

  /**
   * Puts a text.
   *
   * @param row index in {@code out} at which the row begins
   * @param slot index in {@code out} of the column's long
   * @param end index in {@code out} of the row's end; there is space for the text behind it, in
   *     whole longs
   * @return the new end
   */
  public static int putBytes(
      byte[] in, int at, int length, byte[] out, int row, int slot, int end) {
    if (length <= MAX_INLINE_BYTES) {
      long inline = (long) (0x80 | length) << 56;
      for (int i = 0; i < length; i++) {
        inline |= (in[at + i] & 0xFFL) << (8 * i);
      }
      LONGS.set(out, slot, inline);
      return end;
    }
    int rounded = (length + 7) & ~7;
    LONGS.set(out, end + rounded - Long.BYTES, 0L);
    System.arraycopy(in, at, out, end, length);
    LONGS.set(out, slot, (long) (end - row) << 32 | length);
    return end + rounded;
  }

  /** Puts a timestamp of more than three digits; returns the new end, as {@link #putBytes}. */
  public static int putTimestamp(
      long millis, int nanosOfMilli, byte[] out, int row, int slot, int end) {
    LONGS.set(out, end, millis);
    LONGS.set(out, slot, (long) (end - row) << 32 | nanosOfMilli);
    return end + Long.BYTES;
  }
}
