package io.hudilite.e2e.demo;

import io.hudilite.e2e.orders.OrderStatus;
import io.hudilite.e2e.orders.StatusTotals;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;

/** What the user sees: plain lines, which read well on a terminal and in a log alike. */
final class Screen {
  private static final int LINES_BETWEEN_HEADERS = 20;

  private final PrintStream out;
  private final long start = System.nanoTime();
  private int totalsLines;

  Screen(PrintStream out) {
    this.out = out;
  }

  void title(String text) {
    out.println();
    out.println(text);
    out.println("=".repeat(text.length()));
    out.flush();
  }

  void section(String text) {
    out.println();
    out.println("--- " + text);
    out.flush();
  }

  void line(String text) {
    out.println("    " + text);
    out.flush();
  }

  /** Begins a line that {@link #done} or {@link #failed} ends: something that takes a while. */
  void begin(String text) {
    out.print("    " + text + " ... ");
    out.flush();
  }

  void done(String text) {
    out.println(text);
    out.flush();
  }

  void sql(String statement) {
    out.println();
    statement.lines().forEach(line -> out.println("    | " + line));
    out.flush();
  }

  /** One state of the aggregate: how many orders each status has, and what all are worth. */
  void totals(int sent, Map<OrderStatus, StatusTotals> totals) {
    if (totalsLines++ % LINES_BETWEEN_HEADERS == 0) {
      StringBuilder header = new StringBuilder("%8s %9s |".formatted("time", "sent"));
      for (OrderStatus status : OrderStatus.values()) {
        header.append("%10s".formatted(status));
      }
      line(header.append(" |%9s%16s".formatted("orders", "amount")).toString());
    }
    StringBuilder row =
        new StringBuilder(String.format(Locale.ROOT, "%6.1f s %,9d |", seconds(), sent));
    long orders = 0;
    BigDecimal amount = BigDecimal.ZERO;
    for (OrderStatus status : OrderStatus.values()) {
      StatusTotals of = totals.getOrDefault(status, new StatusTotals(0, BigDecimal.ZERO));
      row.append(String.format(Locale.ROOT, "%,10d", of.orders()));
      orders += of.orders();
      amount = amount.add(of.amount());
    }
    line(row.append(String.format(Locale.ROOT, " |%,9d%,16.2f", orders, amount)).toString());
  }

  /** What went wrong, its causes, and where to read more. */
  void error(Throwable failure) {
    out.println();
    out.println();
    out.println("FAILED: " + text(failure));
    String before = text(failure);
    for (Throwable cause = failure.getCause(); cause != null; cause = cause.getCause()) {
      // Wrappers repeat what they wrap.
      if (!before.contains(text(cause))) {
        out.println("  because: " + text(cause));
      }
      before = text(cause);
    }
    String log = System.getProperty("demo.log");
    if (log != null) {
      out.println("  The log: " + log);
    }
    out.flush();
  }

  private static String text(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank() ? failure.toString() : message.strip();
  }

  /** Since the start of the demo. */
  double seconds() {
    return Duration.ofNanos(System.nanoTime() - start).toMillis() / 1000.0;
  }
}
