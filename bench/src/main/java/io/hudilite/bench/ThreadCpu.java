package io.hudilite.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * CPU time by kind of thread, of the JVM's own threads too: compiler, garbage collector. Threads
 * come and go, so it looks often; what a thread does after the last look at it is not counted. The
 * system cuts names to 15 characters; numbers are left out of them.
 */
final class ThreadCpu implements AutoCloseable {
  private static final double TICKS_PER_SECOND = 100;

  private final Map<String, Long> start = new HashMap<>();
  private final Map<String, Long> ticks = new HashMap<>();
  private final Map<String, String> names = new HashMap<>();
  private final Thread looker = new Thread(this::look, "thread-cpu");

  ThreadCpu() {
    read(start);
    looker.setDaemon(true);
    looker.start();
  }

  private void look() {
    try {
      while (true) {
        Thread.sleep(400);
        synchronized (this) {
          read(ticks);
        }
      }
    } catch (InterruptedException e) {
      // closed
    }
  }

  private void read(Map<String, Long> into) {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(Path.of("/proc/self/task"))) {
      for (Path task : tasks) {
        try {
          String stat = Files.readString(task.resolve("stat"));
          int end = stat.lastIndexOf(')');
          String[] rest = stat.substring(end + 2).split(" ", -1);
          String id = task.getFileName().toString();
          into.put(id, Long.parseLong(rest[11]) + Long.parseLong(rest[12]));
          names.put(id, stat.substring(stat.indexOf('(') + 1, end).replaceAll("[-#0-9]+", "#"));
        } catch (IOException e) {
          // ended meanwhile
        }
      }
    } catch (IOException e) {
      // no such system: nothing is told
    }
  }

  /** Seconds by name since the start, the largest first; those below 50 ms together. */
  synchronized Map<String, Double> seconds() {
    read(ticks);
    Map<String, Double> byName = new HashMap<>();
    ticks.forEach(
        (id, count) -> {
          double seconds = (count - start.getOrDefault(id, 0L)) / TICKS_PER_SECOND;
          byName.merge(names.get(id), seconds, Double::sum);
        });
    Map<String, Double> sorted = new LinkedHashMap<>();
    double small = 0;
    for (double value : byName.values()) {
      small += value < 0.05 ? value : 0;
    }
    byName.entrySet().stream()
        .filter(entry -> entry.getValue() >= 0.05)
        .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
        .forEach(entry -> sorted.put(entry.getKey(), Numbers.round(entry.getValue(), 2)));
    sorted.put("others", Numbers.round(small, 2));
    return sorted;
  }

  @Override
  public void close() {
    looker.interrupt();
  }
}
