package io.hudilite.e2e.orders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class OrderStreamTest {

  /** A version of a row, or its deletion. */
  private record Version(LocalDateTime ts, Optional<Order> order) {}

  @Property(tries = 50)
  void orderingByTimestampGivesTheBooks(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 2_000) int changes) {
    OrderStream stream = new OrderStream(seed, changes);
    Map<Long, Version> table = new HashMap<>();
    int count = 0;
    while (stream.hasNext()) {
      OrderChange change = stream.next();
      count++;
      LocalDateTime ts = change.after().or(change::before).orElseThrow().ts();
      Version old = table.get(change.orderId());
      if (old == null || !ts.isBefore(old.ts())) {
        table.put(change.orderId(), new Version(ts, change.after()));
      }
    }

    assertThat(count).isEqualTo(changes);
    assertThat(table.values().stream().flatMap(v -> v.order().stream()))
        .containsExactlyInAnyOrderElementsOf(stream.orders());
  }

  @Test
  void aStreamHasDeletesAndMovesAndLateChangesInSeveralPartitions() {
    OrderStream stream = new OrderStream(42, 5_000);
    Map<Long, LocalDateTime> newest = new HashMap<>();
    Set<LocalDate> days = new HashSet<>();
    Set<Long> deleted = new HashSet<>();
    int moves = 0;
    int late = 0;
    int lateAfterDelete = 0;
    while (stream.hasNext()) {
      OrderChange change = stream.next();
      Order row = change.after().or(change::before).orElseThrow();
      days.add(row.dt());
      boolean isLate = row.ts().isBefore(newest.getOrDefault(row.orderId(), row.ts()));
      late += isLate ? 1 : 0;
      lateAfterDelete += isLate && deleted.contains(row.orderId()) ? 1 : 0;
      moves += change.before().filter(b -> !b.dt().equals(row.dt())).isPresent() ? 1 : 0;
      if (change.op() == OrderChange.Op.DELETE) {
        deleted.add(row.orderId());
      }
      newest.merge(row.orderId(), row.ts(), (a, b) -> a.isAfter(b) ? a : b);
    }

    assertThat(days).hasSizeGreaterThanOrEqualTo(4);
    assertThat(deleted).hasSizeGreaterThan(100);
    assertThat(moves).isGreaterThan(50);
    assertThat(late).isGreaterThan(50);
    assertThat(lateAfterDelete).isPositive();
    assertThat(stream.totals().keySet()).containsExactly(OrderStatus.values());
    assertThat(stream.totals().values().stream().mapToLong(StatusTotals::orders).sum())
        .isEqualTo(stream.orders().size());
  }

  @Test
  void theSameSeedGivesTheSameStream() {
    assertThat(all(new OrderStream(7, 500))).isEqualTo(all(new OrderStream(7, 500)));
    assertThat(all(new OrderStream(7, 500))).isNotEqualTo(all(new OrderStream(8, 500)));
  }

  @Test
  void theBooksAreClosedUntilAllIsSent() {
    OrderStream stream = new OrderStream(7, 2);
    stream.next();

    assertThatThrownBy(stream::orders).hasMessage("Sent 1 of 2 changes");
  }

  @Test
  void aChangeIsADebeziumEnvelope() {
    Order created =
        new Order(
            15_001,
            "u501",
            new BigDecimal("99.90"),
            OrderStatus.CREATED,
            LocalDateTime.of(2025, 10, 18, 1, 2, 3, 4_000_000),
            LocalDate.of(2025, 10, 18));

    assertThat(OrderChange.created(created).toDebeziumJson())
        .isEqualTo(
            "{\"before\":null,\"after\":{\"order_id\":15001,\"user_id\":\"u501\",\"amount\":99.90,"
                + "\"status\":\"CREATED\",\"ts\":\"2025-10-18 01:02:03.004\",\"dt\":\"2025-10-18\"},"
                + "\"op\":\"c\"}");
    assertThat(OrderChange.deleted(created).toDebeziumJson())
        .endsWith("\"after\":null,\"op\":\"d\"}");
  }

  private static List<String> all(OrderStream stream) {
    List<String> all = new ArrayList<>();
    stream.forEachRemaining(change -> all.add(change.toDebeziumJson()));
    return all;
  }
}
