package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.key.OrderingValue.Kind;
import io.hudilite.core.merge.Version;
import java.util.Arrays;
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
  private static final Kind[] KINDS = Kind.values();

  private long group;
  private long orderingNumber;
  private boolean isDelete;

  /** A byte, so that the object does not grow by what else is in it. */
  private byte kind;

  /** Null for kinds NONE, INT and LONG. */
  @Nullable private OrderingValue ordering;

  /** See {@link FilledColumns}; null if not known, or of no matter. */
  @Nullable private byte[] filled;

  KeyLocation(long group, Version version) {
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
    filled = other.filled;
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
        && kind == (byte) version.kind().ordinal()
        && orderingNumber == version.number()
        && Objects.equals(ordering, version.value())) {
      return false;
    }
    group = newGroup;
    isDelete = version.isDelete();
    kind = (byte) version.kind().ordinal();
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
    return KINDS[kind];
  }

  /** Which columns of the row have a value, in the form of {@link FilledColumns}. */
  @Nullable
  byte[] filled() {
    return filled;
  }

  /**
   * Remembers which columns have a value.
   *
   * @param columns not changed any more by anybody
   * @return whether that changes anything
   */
  boolean setFilled(@Nullable byte[] columns) {
    boolean changes = !Arrays.equals(filled, columns);
    filled = columns;
    return changes;
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
    return switch (KINDS[kind]) {
      case NONE -> version.setNone(isDelete);
      case INT, LONG -> version.setNumber(isDelete, KINDS[kind], orderingNumber);
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
        && Arrays.equals(filled, other.filled)
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
