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
 * ordering value is no integer. And it is mutable, since it changes with each row of its key: a new
 * object for each would have to be carried over by the garbage collector.
 *
 * <p>Belongs to the index; who changes it tells {@link RecordIndex#update}.
 */
public final class KeyLocation {
  private long group;
  private long orderingNumber;
  private boolean isDelete;
  private Kind kind;

  /** Null for kinds NONE, INT and LONG. */
  @Nullable private OrderingValue ordering;

  KeyLocation(long group, Version version) {
    this.kind = Kind.NONE;
    set(group, version);
  }

  KeyLocation(long group, OrderingValue ordering, boolean isDelete) {
    this(group, new Version().set(isDelete, requireNonNull(ordering, "ordering")));
  }

  private KeyLocation(KeyLocation other) {
    group = other.group;
    orderingNumber = other.orderingNumber;
    isDelete = other.isDelete;
    kind = other.kind;
    ordering = other.ordering;
  }

  KeyLocation copy() {
    return new KeyLocation(this);
  }

  /**
   * The key has a newer version.
   *
   * @return whether that changes anything
   */
  boolean set(long newGroup, Version version) {
    if (group == newGroup
        && isDelete == version.isDelete()
        && kind == version.kind()
        && orderingNumber == version.number()
        && Objects.equals(ordering, version.value())) {
      return false;
    }
    group = newGroup;
    isDelete = version.isDelete();
    kind = version.kind();
    orderingNumber = version.number();
    if (ordering != version.value()) {
      ordering = version.value();
    }
    return true;
  }

  /** Number of the file group in the {@link GroupDictionary}. */
  long group() {
    return group;
  }

  /** Whether the newest version deletes the key. */
  boolean isDelete() {
    return isDelete;
  }

  Kind orderingKind() {
    return kind;
  }

  /** The ordering value of kinds INT and LONG. */
  long orderingNumber() {
    return orderingNumber;
  }

  OrderingValue ordering() {
    return into(new Version()).toOrderingValue();
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
