package io.hudilite.e2e.orders;

import static java.util.Objects.requireNonNull;

import java.math.BigDecimal;

/**
 * How many orders have a status, and what they are worth: a row of the demo's aggregate.
 *
 * @param orders how many
 * @param amount the sum of their amounts, with two decimals
 */
public record StatusTotals(long orders, BigDecimal amount) {
  public StatusTotals {
    requireNonNull(amount, "amount");
  }

  StatusTotals plus(Order order) {
    return new StatusTotals(orders + 1, amount.add(order.amount()));
  }
}
