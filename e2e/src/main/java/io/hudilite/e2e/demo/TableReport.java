package io.hudilite.e2e.demo;

import io.hudilite.core.config.TableConfigStore;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.TimelineStore;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.e2e.orders.Order;
import io.hudilite.e2e.orders.OrderStatus;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** What there is in the table's folder and in the table, for a person to read. */
final class TableReport {
  private static final int SHOWN_LOGS = 2;
  private static final int SHOWN_ROWS = 8;
  private static final String PARTITION_METADATA = ".hoodie_partition_metadata";

  private final Screen screen;
  private final Storage storage;

  TableReport(Screen screen, String path) {
    this.screen = screen;
    this.storage = Storages.of(path);
  }

  /** One line for each instant, oldest first. */
  void timeline() throws IOException {
    TimelineStore timeline = new TimelineStore(storage, TableConfigStore.load(storage));
    screen.line(
        "requested           completed           action         files   rows deletes     size");
    for (Instant instant : timeline.load().instants()) {
      if (instant instanceof Instant.Completed done) {
        String counts = done.action().writesData() ? counts(timeline.readCommit(done)) : "";
        screen.line(
            "%s   %s   %-12s%s"
                .formatted(done.requestedTime(), done.completionTime(), word(done), counts));
      } else {
        screen.line(
            "%s   %-17s   %s".formatted(instant.requestedTime(), "(pending)", word(instant)));
      }
    }
  }

  private static String word(Instant instant) {
    return instant.action().name().toLowerCase(Locale.ROOT).replace("_", "");
  }

  private static String counts(CommitMetadata commit) {
    List<WriteStat> stats = commit.writeStats();
    return String.format(
        Locale.ROOT,
        "%7d%,7d%,8d%,6d KB",
        stats.size(),
        stats.stream().mapToLong(WriteStat::numWrites).sum(),
        stats.stream().mapToLong(WriteStat::numDeletes).sum(),
        kilobytes(stats.stream().mapToLong(WriteStat::fileSizeInBytes).sum()));
  }

  private static long kilobytes(long bytes) {
    return (bytes + 1023) / 1024;
  }

  /** The partitions and what is in them; most log files are only counted. */
  void files() throws IOException {
    for (StoredFile entry : sorted(storage.list(""))) {
      if (entry.isFolder() && !entry.name().equals(".hoodie")) {
        partition(entry.name());
      }
    }
  }

  private void partition(String partition) throws IOException {
    List<StoredFile> bases = new ArrayList<>();
    Map<String, List<StoredFile>> logs = new TreeMap<>();
    for (StoredFile file : sorted(storage.list(partition))) {
      if (!file.name().startsWith(".")) {
        bases.add(file);
      } else if (!file.name().equals(PARTITION_METADATA)) {
        logs.computeIfAbsent(fileId(file.name().substring(1)), id -> new ArrayList<>()).add(file);
      }
    }
    screen.line(partition + "/");
    for (StoredFile base : bases) {
      file(base);
      List<StoredFile> own = logs.getOrDefault(fileId(base.name()), List.of());
      own.stream().limit(SHOWN_LOGS).forEach(this::file);
      if (own.size() > SHOWN_LOGS) {
        long bytes = own.stream().skip(SHOWN_LOGS).mapToLong(StoredFile::length).sum();
        screen.line(
            String.format(
                Locale.ROOT,
                "  %,7d KB  … %d more log files",
                kilobytes(bytes),
                own.size() - SHOWN_LOGS));
      }
    }
  }

  private void file(StoredFile file) {
    screen.line(String.format(Locale.ROOT, "  %,7d KB  %s", kilobytes(file.length()), file.name()));
  }

  private static String fileId(String name) {
    return name.substring(0, name.indexOf('_'));
  }

  private static List<StoredFile> sorted(List<StoredFile> files) {
    return files.stream().sorted(Comparator.comparing(StoredFile::name)).toList();
  }

  /**
   * The rows {@code (order_id, user_id, amount, status, ts, dt)} of a bounded query, by order id.
   */
  static List<Order> orders(TableResult query) throws Exception {
    List<Order> orders = new ArrayList<>();
    try (CloseableIterator<Row> rows = query.collect()) {
      while (rows.hasNext()) {
        Row row = rows.next();
        orders.add(
            new Order(
                row.<Long>getFieldAs(0),
                row.<String>getFieldAs(1),
                row.<BigDecimal>getFieldAs(2),
                OrderStatus.valueOf(row.<String>getFieldAs(3)),
                row.<LocalDateTime>getFieldAs(4),
                LocalDate.parse(row.<String>getFieldAs(5))));
      }
    }
    orders.sort(Comparator.comparingLong(Order::orderId));
    return orders;
  }

  /** The last rows, by order id. */
  void rows(List<Order> orders) {
    screen.line("order_id  user_id      amount  status     ts                       dt");
    if (orders.size() > SHOWN_ROWS) {
      screen.line(
          String.format(Locale.ROOT, "… %,d rows before these", orders.size() - SHOWN_ROWS));
    }
    orders.stream()
        .skip(Math.max(0, orders.size() - SHOWN_ROWS))
        .forEach(order -> screen.line(text(order)));
  }

  private static String text(Order order) {
    return String.format(
        Locale.ROOT,
        "%8d  %-7s %,11.2f  %-9s  %-23s  %s",
        order.orderId(),
        order.userId(),
        order.amount(),
        order.status(),
        order.ts().toString().replace('T', ' '),
        order.dt());
  }

  /** Some of the orders that are missing, not expected, or other than expected. */
  void differences(List<Order> expected, List<Order> found) {
    Map<Long, Order> unseen =
        expected.stream().collect(Collectors.toMap(Order::orderId, Function.identity()));
    List<String> lines = new ArrayList<>();
    for (Order order : found) {
      Order wanted = unseen.remove(order.orderId());
      if (wanted == null) {
        lines.add("not expected: " + text(order));
      } else if (!wanted.equals(order)) {
        lines.add("found:        " + text(order));
        lines.add("  instead of: " + text(wanted));
      }
    }
    unseen.values().forEach(order -> lines.add("missing:      " + text(order)));
    screen.line("");
    screen.line(
        "DIFFERENT: %,d rows were expected, %,d found; the first differences:"
            .formatted(expected.size(), found.size()));
    lines.stream().limit(2L * SHOWN_ROWS).forEach(screen::line);
  }
}
