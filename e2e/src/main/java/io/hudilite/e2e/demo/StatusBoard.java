package io.hudilite.e2e.demo;

import io.hudilite.e2e.orders.OrderStatus;
import io.hudilite.e2e.orders.StatusTotals;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/**
 * Folds the changes of the aggregate query into its present result. A thread of its own takes them
 * from Flink; any thread may look at the result or wait for it to change.
 */
final class StatusBoard implements AutoCloseable {
  private final CloseableIterator<Row> changes;
  private final Thread reader;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  // Guarded by lock.
  private final Map<OrderStatus, StatusTotals> totals = new EnumMap<>(OrderStatus.class);
  private long changeCount;
  private boolean closing;
  private Throwable failure;

  private StatusBoard(CloseableIterator<Row> changes) {
    this.changes = changes;
    this.reader = new Thread(this::read, "status-board");
    this.reader.setDaemon(true);
  }

  /** Starts to follow the rows {@code (status, count, sum)} of a query that groups by status. */
  static StatusBoard follow(TableResult query) {
    StatusBoard board = new StatusBoard(query.collect());
    board.reader.start();
    return board;
  }

  private void read() {
    try {
      while (changes.hasNext()) {
        accept(changes.next());
      }
      fail(new IllegalStateException("The query that follows the table ended by itself"));
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private void accept(Row row) {
    OrderStatus status = OrderStatus.valueOf(row.<String>getFieldAs(0));
    lock.lock();
    try {
      if (row.getKind() == RowKind.DELETE) {
        totals.remove(status);
      } else if (row.getKind() != RowKind.UPDATE_BEFORE) {
        totals.put(
            status, new StatusTotals(row.<Long>getFieldAs(1), row.<BigDecimal>getFieldAs(2)));
      }
      changeCount++;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void fail(Throwable cause) {
    lock.lock();
    try {
      if (!closing) {
        failure = cause;
      }
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** How many changes the query has sent; grows only. */
  long changeCount() {
    lock.lock();
    try {
      return changeCount;
    } finally {
      lock.unlock();
    }
  }

  /** The result as it is now. A status without orders is not in it. */
  Map<OrderStatus, StatusTotals> totals() {
    lock.lock();
    try {
      return new EnumMap<>(totals);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until the result equals the expected one, or the time is over.
   *
   * @return whether it does
   * @throws IllegalStateException if the query failed
   */
  boolean awaitTotals(Map<OrderStatus, StatusTotals> expected, Duration limit)
      throws InterruptedException {
    long left = limit.toNanos();
    lock.lock();
    try {
      while (!totals.equals(expected)) {
        requireAlive();
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /**
   * @throws IllegalStateException if the query failed
   */
  void requireAlive() {
    lock.lock();
    try {
      if (failure != null) {
        throw new IllegalStateException("The query that follows the table failed", failure);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Cancels the query. */
  @Override
  public void close() throws Exception {
    lock.lock();
    try {
      closing = true;
    } finally {
      lock.unlock();
    }
    changes.close();
    reader.join(TimeUnit.SECONDS.toMillis(30));
  }
}
