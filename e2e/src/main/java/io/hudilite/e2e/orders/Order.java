package io.hudilite.e2e.orders;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;

/**
 * One version of one row of the orders table.
 *
 * @param orderId the key
 * @param userId who ordered
 * @param amount with two decimals
 * @param status where the order is in its life
 * @param ts when this version came to be, in whole milliseconds; the ordering field: the table
 *     keeps the version with the greatest one, whatever the order in which they arrive
 * @param dt the day of delivery; the partition
 */
public record Order(
    long orderId,
    String userId,
    BigDecimal amount,
    OrderStatus status,
    LocalDateTime ts,
    LocalDate dt) {

  public Order {
    requireNonNull(userId, "userId");
    requireNonNull(amount, "amount");
    requireNonNull(status, "status");
    requireNonNull(ts, "ts");
    requireNonNull(dt, "dt");
  }

  Order withStatus(OrderStatus newStatus, LocalDateTime newTs) {
    return new Order(orderId, userId, amount, newStatus, newTs, dt);
  }

  Order withDt(LocalDate newDt, LocalDateTime newTs) {
    return new Order(orderId, userId, amount, status, newTs, newDt);
  }
}
