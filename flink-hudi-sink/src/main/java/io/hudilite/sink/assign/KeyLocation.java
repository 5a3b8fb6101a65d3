package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.key.OrderingValue.Kind;
import io.hudilite.core.merge.Version;
import java.util.Objects;
import javax.annotation.Nullable;

/**
 * What the index knows of one key: the number of its file group, and the ordering value of its
 * newest version. There is one for each key of the table, so it is small: one object, or two if the
 * ordering value is no integer. Immutable.
 */
public final class KeyLocation {
  private final long group;
  private final long orderingNumber;
  private final boolean isDelete;
  private final Kind kind;

  /** Null for kinds NONE, INT and LONG. */
  @Nullable private final OrderingValue ordering;

  KeyLocation(long group, OrderingValue ordering, boolean isDelete) {
    requireNonNull(ordering, "ordering");
    this.group = group;
    this.isDelete = isDelete;
    this.kind = ordering.kind();
    boolean isNumber = kind == Kind.INT || kind == Kind.LONG;
    this.orderingNumber = isNumber ? ordering.longValue() : 0;
    this.ordering = isNumber || kind == Kind.NONE ? null : ordering;
  }

  /** Number of the file group in the {@link GroupDictionary}. */
  long group() {
    return group;
  }

  /** Whether the newest version deletes the key. */
  boolean isDelete() {
    return isDelete;
  }

  OrderingValue ordering() {
    return switch (kind) {
      case INT -> OrderingValue.ofInt((int) orderingNumber);
      case LONG -> OrderingValue.ofLong(orderingNumber);
      case NONE -> OrderingValue.NONE;
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST -> ordering;
    };
  }

  /** Copies what merge rules look at. */
  Version into(Version version) {
    return switch (kind) {
      case NONE -> version.setNone(isDelete);
      case INT, LONG -> version.setNumber(isDelete, kind, orderingNumber);
      case BOOLEAN, FLOAT, DOUBLE, STRING, BYTES, DECIMAL, LIST -> version.set(isDelete, ordering);
    };
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof KeyLocation other
        && group == other.group
        && isDelete == other.isDelete
        && kind == other.kind
        && orderingNumber == other.orderingNumber
        && Objects.equals(ordering, other.ordering);
  }

  @Override
  public int hashCode() {
    return Objects.hash(group, isDelete, kind, orderingNumber, ordering);
  }

  @Override
  public String toString() {
    return (isDelete ? "deleted in " : "in ") + Long.toHexString(group) + " at " + ordering();
  }
}
