package io.hudilite.e2e.orders;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.TreeMap;

/**
 * The shop: a seeded, endless-looking but finite row of changes, and the orders as they are in the
 * shop's own books after them.
 *
 * <p>Orders go from CREATED over PAID and SHIPPED to FINISHED. Beside that:
 *
 * <ul>
 *   <li>some are cancelled: their row is deleted;
 *   <li>some are moved to the next day: their row changes its partition;
 *   <li>some changes are late: SHIPPED comes first and PAID, with its smaller {@code ts}, many
 *       changes later, perhaps after the row was moved or deleted. It must change nothing then.
 * </ul>
 *
 * <p>Not thread-safe: {@link #next} by one thread, the books by whoever comes after it.
 */
public final class OrderStream implements Iterator<OrderChange> {
  /** The first day; a stream of any length spreads over {@link #DAYS} of them. */
  public static final LocalDate FIRST_DAY = LocalDate.of(2025, 10, 18);

  private static final int DAYS = 4;
  private static final int MIN_OPEN_ORDERS = 50;
  private static final int MAX_CHANGES_LATE = 300;

  /** A change that was held back, until so many changes have been sent. */
  private record Late(int dueAt, OrderChange change) {}

  private final int changes;
  private final Random random;
  private final long maxStepMillis;
  private final List<Order> open = new ArrayList<>();
  private final TreeMap<Long, Order> books = new TreeMap<>();
  private final PriorityQueue<Late> late =
      new PriorityQueue<>(Comparator.comparingInt(Late::dueAt));
  private LocalDateTime now = FIRST_DAY.atStartOfDay();
  private long lastOrderId = 15_000;
  private int sent;

  /**
   * @param seed the same seed gives the same stream
   * @param changes how many changes there will be, late ones included
   */
  public OrderStream(long seed, int changes) {
    if (changes < 1) {
      throw new IllegalArgumentException("A stream has 1 change or more, not " + changes);
    }
    this.changes = changes;
    this.random = new Random(seed);
    this.maxStepMillis = Math.max(2, ChronoUnit.DAYS.getDuration().toMillis() * DAYS * 2 / changes);
  }

  @Override
  public boolean hasNext() {
    return sent < changes;
  }

  @Override
  public OrderChange next() {
    if (!hasNext()) {
      throw new NoSuchElementException("All " + changes + " changes have been sent");
    }
    sent++;
    int left = changes - sent;
    if (!late.isEmpty() && (late.peek().dueAt() <= sent || late.size() > left)) {
      return late.remove().change();
    }
    now = now.plus(1 + random.nextLong(maxStepMillis), ChronoUnit.MILLIS);
    if (open.size() < MIN_OPEN_ORDERS || random.nextInt(100) < 27) {
      return create();
    }
    int at = random.nextInt(open.size());
    int chance = random.nextInt(100);
    if (chance < 6) {
      return cancel(at);
    } else if (chance < 9) {
      return replace(at, open.get(at).withDt(open.get(at).dt().plusDays(1), now));
    } else if (chance < 16 && open.get(at).status() == OrderStatus.CREATED && late.size() < left) {
      return shipBeforePaymentIsKnown(at);
    }
    return replace(at, open.get(at).withStatus(open.get(at).status().next(), now));
  }

  private OrderChange create() {
    BigDecimal amount = BigDecimal.valueOf(500 + random.nextInt(49_500), 2);
    String user = "u" + (500 + random.nextInt(400));
    Order order =
        new Order(++lastOrderId, user, amount, OrderStatus.CREATED, now, now.toLocalDate());
    open.add(order);
    books.put(order.orderId(), order);
    return OrderChange.created(order);
  }

  private OrderChange cancel(int at) {
    Order cancelled = close(at);
    books.remove(cancelled.orderId());
    return OrderChange.deleted(cancelled);
  }

  private OrderChange shipBeforePaymentIsKnown(int at) {
    Order created = open.get(at);
    Order paid = created.withStatus(OrderStatus.PAID, now);
    now = now.plus(1, ChronoUnit.MILLIS);
    Order shipped = paid.withStatus(OrderStatus.SHIPPED, now);
    int dueAt = sent + 2 + random.nextInt(MAX_CHANGES_LATE);
    late.add(new Late(dueAt, OrderChange.updated(created, paid)));
    replace(at, shipped);
    return OrderChange.updated(paid, shipped);
  }

  private OrderChange replace(int at, Order after) {
    Order before = open.get(at);
    if (after.status() == OrderStatus.FINISHED) {
      close(at);
    } else {
      open.set(at, after);
    }
    books.put(after.orderId(), after);
    return OrderChange.updated(before, after);
  }

  /** Takes an order out of the open ones, in constant time: the last one takes its place. */
  private Order close(int at) {
    Order last = open.remove(open.size() - 1);
    return at == open.size() ? last : open.set(at, last);
  }

  /** What the table must hold when all changes are in it, by order id. */
  public List<Order> orders() {
    requireEnd();
    return List.copyOf(books.values());
  }

  /** What {@code SELECT status, COUNT(*), SUM(amount) … GROUP BY status} must say then. */
  public Map<OrderStatus, StatusTotals> totals() {
    requireEnd();
    Map<OrderStatus, StatusTotals> totals = new EnumMap<>(OrderStatus.class);
    StatusTotals none = new StatusTotals(0, BigDecimal.ZERO.setScale(2));
    for (Order order : books.values()) {
      totals.put(order.status(), totals.getOrDefault(order.status(), none).plus(order));
    }
    return totals;
  }

  private void requireEnd() {
    if (hasNext()) {
      throw new IllegalStateException("Sent " + sent + " of " + changes + " changes");
    }
  }
}
