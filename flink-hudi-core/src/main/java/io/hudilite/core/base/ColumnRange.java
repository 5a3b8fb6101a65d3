package io.hudilite.core.base;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * What is known of the values of a column in some rows.
 *
 * @param min a Long or a {@link Text}; null if it is not known, or there are no values
 * @param max of the same class
 * @param mayHaveValues false if all values are null
 */
public record ColumnRange(
    @Nullable Comparable<?> min, @Nullable Comparable<?> max, boolean mayHaveValues) {
  /** Anything. */
  public static final ColumnRange UNKNOWN = new ColumnRange(null, null, true);

  /** Only nulls. */
  public static final ColumnRange NULLS = new ColumnRange(null, null, false);

  /** A text in the order of its UTF-8 bytes, which is that of Flink and of Parquet. */
  public static final class Text implements Comparable<Text>, Serializable {
    private static final long serialVersionUID = 1L;

    private final byte[] bytes;

    private Text(byte[] bytes) {
      this.bytes = bytes;
    }

    public static Text of(String text) {
      return new Text(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * @param bytes not copied
     */
    public static Text ofUtf8(byte[] bytes) {
      return new Text(bytes);
    }

    @Override
    public int compareTo(Text other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Text text && Arrays.equals(bytes, text.bytes);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
