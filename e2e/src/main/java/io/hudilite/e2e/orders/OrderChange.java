package io.hudilite.e2e.orders;

import static java.util.Objects.requireNonNull;

import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/** One change of one order, as a database's change log tells it. */
public final class OrderChange {
  private static final DateTimeFormatter TIMESTAMP =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS", Locale.ROOT);

  /** What happened to the row, with Debezium's letter for it. */
  public enum Op {
    CREATE("c"),
    UPDATE("u"),
    DELETE("d");

    private final String letter;

    Op(String letter) {
      this.letter = letter;
    }
  }

  private final Op op;
  private final Optional<Order> before;
  private final Optional<Order> after;

  private OrderChange(Op op, Optional<Order> before, Optional<Order> after) {
    this.op = op;
    this.before = before;
    this.after = after;
  }

  static OrderChange created(Order order) {
    return new OrderChange(Op.CREATE, Optional.empty(), Optional.of(order));
  }

  static OrderChange updated(Order before, Order after) {
    requireNonNull(before, "before");
    return new OrderChange(Op.UPDATE, Optional.of(before), Optional.of(after));
  }

  static OrderChange deleted(Order before) {
    return new OrderChange(Op.DELETE, Optional.of(before), Optional.empty());
  }

  public Op op() {
    return op;
  }

  public long orderId() {
    return after.or(() -> before).orElseThrow().orderId();
  }

  /** Empty for a new order. */
  public Optional<Order> before() {
    return before;
  }

  /** Empty for a deleted order. */
  public Optional<Order> after() {
    return after;
  }

  /** A Debezium envelope for a JSON format without schemas. */
  public String toDebeziumJson() {
    return "{\"before\":%s,\"after\":%s,\"op\":\"%s\"}"
        .formatted(
            before.map(OrderChange::json).orElse("null"),
            after.map(OrderChange::json).orElse("null"),
            op.letter);
  }

  private static String json(Order order) {
    return ("{\"order_id\":%d,\"user_id\":\"%s\",\"amount\":%s,\"status\":\"%s\",\"ts\":\"%s\","
            + "\"dt\":\"%s\"}")
        .formatted(
            order.orderId(),
            order.userId(),
            order.amount().toPlainString(),
            order.status(),
            TIMESTAMP.format(order.ts()),
            order.dt());
  }
}
