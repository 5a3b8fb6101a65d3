package io.hudilite.bench;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** What this process uses from the time this is made until a phase is done. */
final class Usage {
  private final long cpuNanos = cpuNanos();
  private final long collectorMillis = collectorMillis();
  private final ThreadCpu threads;

  /** CPU seconds by kind of thread are told too if the flags ask for them. */
  Usage(Flags flags) {
    threads = flags.isOn("threads") ? new ThreadCpu() : null;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      pool.resetPeakUsage();
    }
  }

  void done(Map<String, Object> phase) {
    phase.put("cpu_s", Numbers.seconds(cpuNanos() - cpuNanos));
    phase.put("gc_s", Numbers.round((collectorMillis() - collectorMillis) / 1e3, 3));
    if (threads != null) {
      phase.put("cpu_s_by_thread", threads.seconds());
      threads.close();
    }
    long peak = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        peak += pool.getPeakUsage().getUsed();
      }
    }
    phase.put("heap_peak_mb", peak >> 20);
  }

  private static long cpuNanos() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private static long collectorMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(collector -> collector.getCollectionTime())
        .sum();
  }

  /** Bytes that this process has given to write calls since its start. */
  static long bytesWritten() {
    return number("io", "wchar:");
  }

  /** Bytes that this process has asked read calls for since its start. */
  static long bytesRead() {
    return number("io", "rchar:");
  }

  /** The most memory that this process has had at once. */
  static long peakResidentMegabytes() {
    return number("status", "VmHWM") / 1024;
  }

  private static long number(String file, String line) {
    try (Stream<String> lines = Files.lines(Path.of("/proc/self").resolve(file))) {
      return lines
          .filter(text -> text.startsWith(line))
          .mapToLong(text -> Long.parseLong(text.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // no such system: nothing is told
    }
  }
}
