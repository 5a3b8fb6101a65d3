package io.hudilite.core.key;

import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;

/**
 * The value by which versions of a row are compared in {@code EVENT_TIME_ORDERING}. Values of one
 * kind are ordered; values of different kinds are not comparable, and the merge rules of Hudi say
 * what happens then. Immutable.
 */
public final class OrderingValue implements Comparable<OrderingValue> {

  /** Which Java type a value has; the names follow the branches of Hudi's delete records. */
  public enum Kind {
    /** No ordering value: a delete that wins whatever the ordering, written as int 0. */
    NONE,
    BOOLEAN,
    INT,
    LONG,
    FLOAT,
    DOUBLE,
    STRING,
    BYTES,
    DECIMAL,
    /** Several ordering columns, compared one after the other. */
    LIST
  }

  public static final OrderingValue NONE = new OrderingValue(Kind.NONE, 0);

  private final Kind kind;
  private final Comparable<?> value;

  private OrderingValue(Kind kind, Comparable<?> value) {
    this.kind = kind;
    this.value = value;
  }

  public static OrderingValue ofBoolean(boolean value) {
    return new OrderingValue(Kind.BOOLEAN, value);
  }

  /** Int, date (epoch day). Hudi takes int 0 for "no ordering value". */
  public static OrderingValue ofInt(int value) {
    return new OrderingValue(Kind.INT, value);
  }

  /** Long, and timestamps in the unit in which their column is stored. */
  public static OrderingValue ofLong(long value) {
    return new OrderingValue(Kind.LONG, value);
  }

  public static OrderingValue ofFloat(float value) {
    return new OrderingValue(Kind.FLOAT, value);
  }

  public static OrderingValue ofDouble(double value) {
    return new OrderingValue(Kind.DOUBLE, value);
  }

  /** UTF-8 text, ordered as unsigned bytes. The array must not be changed afterwards. */
  public static OrderingValue ofString(byte[] utf8) {
    return new OrderingValue(Kind.STRING, ByteText.ofUtf8(utf8));
  }

  public static OrderingValue ofBytes(byte[] value) {
    return new OrderingValue(Kind.BYTES, ByteText.ofUtf8(value));
  }

  public static OrderingValue ofDecimal(BigDecimal value) {
    return new OrderingValue(Kind.DECIMAL, value);
  }

  public static OrderingValue ofList(List<OrderingValue> values) {
    return new OrderingValue(Kind.LIST, new ValueList(List.copyOf(values)));
  }

  public Kind kind() {
    return kind;
  }

  /**
   * Whether this stands for "no ordering value": {@link #NONE}, or int 0, which is how Hudi writes
   * that.
   */
  public boolean isDefault() {
    return kind == Kind.NONE || (kind == Kind.INT && value.equals(0));
  }

  public boolean isComparableTo(OrderingValue other) {
    return kind == other.kind;
  }

  /**
   * The value as a boolean, {@code Integer}, {@code Long}, {@code Float}, {@code Double}, {@code
   * byte[]} (STRING, BYTES), {@code BigDecimal} or {@code List<OrderingValue>}.
   */
  public Object value() {
    if (value instanceof ByteText text) {
      return text.bytes();
    }
    if (value instanceof ValueList list) {
      return list.values;
    }
    return value;
  }

  public long longValue() {
    return ((Number) value).longValue();
  }

  /**
   * @throws IllegalArgumentException if the kinds differ
   */
  @Override
  @SuppressWarnings("unchecked")
  public int compareTo(OrderingValue other) {
    if (kind != other.kind) {
      throw new IllegalArgumentException(
          "Ordering values of kinds " + kind + " and " + other.kind + " have no order");
    }
    return ((Comparable<Object>) value).compareTo(other.value);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof OrderingValue other && kind == other.kind && value.equals(other.value);
  }

  @Override
  public int hashCode() {
    return Objects.hash(kind, value);
  }

  @Override
  public String toString() {
    return kind + "(" + value + ")";
  }

  private record ValueList(List<OrderingValue> values) implements Comparable<ValueList> {
    @Override
    public int compareTo(ValueList other) {
      int common = Math.min(values.size(), other.values.size());
      for (int i = 0; i < common; i++) {
        int order = values.get(i).compareTo(other.values.get(i));
        if (order != 0) {
          return order;
        }
      }
      return Integer.compare(values.size(), other.values.size());
    }
  }
}
