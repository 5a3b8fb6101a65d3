package io.hudilite.source;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Whether a job has still to crash. Jobs run in this JVM and find it by name. */
final class Crash {
  private static final Map<String, Crash> ALL = new ConcurrentHashMap<>();

  private final AtomicInteger rows = new AtomicInteger();
  private volatile boolean happened;

  static Crash of(String name) {
    return ALL.computeIfAbsent(name, n -> new Crash());
  }

  boolean isDue() {
    return !happened;
  }

  /** Paces the rows before the crash, so that a checkpoint falls between them. */
  void slowDown() {
    if (rows.incrementAndGet() % 50 == 0) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  void happened() {
    happened = true;
  }

  boolean hasHappened() {
    return happened;
  }
}
