package io.hudilite.bench;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.Pattern;

/** Notes when each file that marks a commit becomes visible. */
final class CommitWatch implements AutoCloseable {
  private final Path folder;
  private final Pattern name;
  private final Set<String> known = new HashSet<>();
  private final ConcurrentSkipListSet<Long> nanos = new ConcurrentSkipListSet<>();
  private final Thread looker = new Thread(this::look, "commit-watch");
  private volatile boolean closed;

  CommitWatch(Path folder, Pattern name) {
    this.folder = folder;
    this.name = name;
    for (String file : commits()) {
      known.add(file);
    }
    looker.setDaemon(true);
    looker.start();
  }

  /** When commits became visible, as {@link System#nanoTime} tells time, the first one first. */
  List<Long> times() {
    return List.copyOf(nanos);
  }

  private List<String> commits() {
    String[] files = folder.toFile().list();
    return files == null
        ? List.of()
        : List.of(files).stream().filter(file -> name.matcher(file).matches()).toList();
  }

  private void note() {
    for (String file : commits()) {
      if (known.add(file)) {
        nanos.add(System.nanoTime());
      }
    }
  }

  private void look() {
    while (!closed) {
      note();
      try {
        Thread.sleep(2);
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  @Override
  public void close() throws InterruptedException {
    closed = true;
    looker.join();
    note();
  }
}
