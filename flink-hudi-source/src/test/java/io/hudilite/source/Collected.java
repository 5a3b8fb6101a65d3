package io.hudilite.source;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;

/**
 * Where rows of a job go, as text such as {@code +I[k1, a, 1, p1]}, in the order in which they
 * came. Jobs run in this JVM and find it by its name.
 */
final class Collected {
  private static final Map<String, Collected> ALL = new ConcurrentHashMap<>();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final List<String> rows = new ArrayList<>();
  private final Set<String> batches = new HashSet<>();

  static Collected of(String name) {
    return ALL.computeIfAbsent(name, n -> new Collected());
  }

  static String text(RowData row, RowType type) {
    List<String> values = new ArrayList<>();
    for (int i = 0; i < type.getFieldCount(); i++) {
      LogicalType column = type.getTypeAt(i);
      values.add(String.valueOf(RowData.createFieldGetter(column, i).getFieldOrNull(row)));
    }
    return row.getRowKind().shortString() + "[" + String.join(", ", values) + "]";
  }

  synchronized void add(String row) {
    rows.add(row);
    notifyAll();
  }

  /** Adds rows that were made durable; adding a batch again does nothing. */
  synchronized void addBatch(String id, List<String> batch) {
    if (batches.add(id)) {
      rows.addAll(batch);
      notifyAll();
    }
  }

  synchronized List<String> rows() {
    return List.copyOf(rows);
  }

  /** Waits until the rows are as wanted, and returns them. */
  synchronized List<String> await(Predicate<List<String>> wanted) throws InterruptedException {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!wanted.test(rows)) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new AssertionError("Not within " + LIMIT + ", but there is " + rows);
      }
      wait(left);
    }
    return List.copyOf(rows);
  }

  List<String> awaitCount(int count) throws InterruptedException {
    return await(now -> now.size() >= count);
  }

  /** What is left when the changes are applied one after the other: by key, the first column. */
  static Map<String, String> fold(List<String> changes) {
    Map<String, String> state = new HashMap<>();
    for (String change : changes) {
      String content = change.substring(3, change.length() - 1);
      String key = content.split(", ", 2)[0];
      if (change.startsWith(RowKind.DELETE.shortString())) {
        state.remove(key);
      } else {
        state.put(key, content);
      }
    }
    return state;
  }
}
