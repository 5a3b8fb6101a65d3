package io.hudilite.e2e.orders;

/** Where an order is in its life, in the order of that life. */
public enum OrderStatus {
  CREATED,
  PAID,
  SHIPPED,
  FINISHED;

  /** The status that follows; {@link #FINISHED} has none. */
  OrderStatus next() {
    if (this == FINISHED) {
      throw new IllegalStateException("Nothing follows FINISHED");
    }
    return values()[ordinal() + 1];
  }
}
