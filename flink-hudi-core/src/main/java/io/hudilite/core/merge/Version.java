package io.hudilite.core.merge;

import io.hudilite.core.key.OrderingCodec;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.key.OrderingValue.Kind;
import java.util.List;
import javax.annotation.Nullable;

/**
 * What a merge rule needs to know of one version of a row: its ordering value and whether it
 * deletes. Mutable, since one is filled for every row read; its owner reuses it. Integers are kept
 * as a plain long, the other kinds as {@link OrderingValue}.
 */
public final class Version {
  private boolean delete;
  private Kind kind = Kind.NONE;
  private long number;
  @Nullable private OrderingValue value;

  /** A version without an ordering value. */
  public Version setNone(boolean isDelete) {
    delete = isDelete;
    kind = Kind.NONE;
    number = 0;
    value = null;
    return this;
  }

  /**
   * Makes this a version that is ordered by a number.
   *
   * @param kind INT or LONG
   */
  public Version setNumber(boolean isDelete, Kind kind, long number) {
    this.delete = isDelete;
    this.kind = kind;
    this.number = number;
    this.value = null;
    return this;
  }

  public Version set(boolean isDelete, OrderingValue ordering) {
    return switch (ordering.kind()) {
      case NONE -> setNone(isDelete);
      case INT, LONG -> setNumber(isDelete, ordering.kind(), ordering.longValue());
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST -> {
        delete = isDelete;
        kind = ordering.kind();
        number = 0;
        value = ordering;
        yield this;
      }
    };
  }

  /** The same by an ordering value in the form of {@link OrderingCodec}. */
  public Version read(boolean isDelete, byte[] bytes, int offset, int length) {
    Kind numberKind = OrderingCodec.numberKind(bytes, offset);
    return numberKind == null
        ? set(isDelete, OrderingCodec.decode(bytes, offset, length))
        : setNumber(isDelete, numberKind, OrderingCodec.decodeNumber(bytes, offset, length));
  }

  public boolean isDelete() {
    return delete;
  }

  /** The same ordering value, of a delete. */
  Version asDelete() {
    delete = true;
    return this;
  }

  public Kind kind() {
    return kind;
  }

  /** The ordering value of kinds INT and LONG, else 0. */
  public long number() {
    return number;
  }

  /** The ordering value of other kinds; null for NONE, INT and LONG. */
  @Nullable
  public OrderingValue value() {
    return value;
  }

  /** Whether this is a delete that counts whatever the other's ordering value. */
  boolean isUnconditionalDelete() {
    return delete && (kind == Kind.NONE || (kind == Kind.INT && number == 0));
  }

  boolean isComparableTo(Version other) {
    return kind == other.kind && (kind != Kind.LIST || haveSameKinds(value, other.value));
  }

  private static boolean haveSameKinds(OrderingValue a, OrderingValue b) {
    if (a.kind() != b.kind()) {
      return false;
    }
    if (!(a.value() instanceof List<?> as) || !(b.value() instanceof List<?> bs)) {
      return true;
    }
    for (int i = 0; i < Math.min(as.size(), bs.size()); i++) {
      if (!haveSameKinds((OrderingValue) as.get(i), (OrderingValue) bs.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Negative if this is ordered before {@code other}; both are of one kind. */
  int compareOrdering(Version other) {
    return value == null ? Long.compare(number, other.number) : value.compareTo(other.value);
  }

  /** The ordering value as an object of its own. */
  public OrderingValue toOrderingValue() {
    if (value != null) {
      return value;
    }
    return switch (kind) {
      case INT -> OrderingValue.ofInt((int) number);
      case LONG -> OrderingValue.ofLong(number);
      case NONE, BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST -> OrderingValue.NONE;
    };
  }

  @Override
  public String toString() {
    return (delete ? "delete " : "row ") + toOrderingValue();
  }
}
