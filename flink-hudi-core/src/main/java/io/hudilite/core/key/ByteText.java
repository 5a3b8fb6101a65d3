package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A text in the order of its UTF-8 bytes, which is that of Flink and of Parquet; or mere bytes. */
public final class ByteText implements Comparable<ByteText>, Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] bytes;

  private ByteText(byte[] bytes) {
    this.bytes = requireNonNull(bytes, "bytes");
  }

  public static ByteText of(String text) {
    return new ByteText(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * A text of bytes.
   *
   * @param bytes not copied; must not be changed afterwards
   */
  public static ByteText ofUtf8(byte[] bytes) {
    return new ByteText(bytes);
  }

  /** Not a copy. */
  byte[] bytes() {
    return bytes;
  }

  @Override
  public int compareTo(ByteText other) {
    return Arrays.compareUnsigned(bytes, other.bytes);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ByteText text && Arrays.equals(bytes, text.bytes);
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
