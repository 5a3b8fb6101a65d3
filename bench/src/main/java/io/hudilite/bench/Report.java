package io.hudilite.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a run has to tell: figures of the whole, and those of each of its phases. */
final class Report {
  /** Figures of the phase that was asked for, which the whole repeats. */
  private static final List<String> FIGURES =
      List.of(
          "rows_per_s",
          "wall_s",
          "cpu_s",
          "rows_per_cpu_s",
          "gc_s",
          "disk_bytes",
          "files",
          "io_written",
          "ckpt_count",
          "ckpt_p50_ms",
          "ckpt_p99_ms",
          "ckpt_sync_p99_ms",
          "ckpt_async_p99_ms",
          "heap_peak_mb",
          "first_s",
          "best_s",
          "median_s",
          "first_row_s",
          "filter_median_s",
          "rows_per_s_median");

  private final Map<String, Object> whole = new LinkedHashMap<>();
  private final List<Object> phases = new ArrayList<>();

  void put(String name, Object value) {
    whole.put(name, value);
  }

  void putIfAbsent(String name, Object value) {
    whole.putIfAbsent(name, value);
  }

  void addPhase(Map<String, Object> phase) {
    phases.add(phase);
  }

  void forgetPhases() {
    phases.clear();
  }

  /** Takes this phase's figures for those of the run. */
  void isAbout(Map<String, Object> phase) {
    for (String name : FIGURES) {
      if (phase.containsKey(name)) {
        whole.put(name, phase.get(name));
      }
    }
  }

  String toJson() {
    whole.put("phases", phases);
    return Json.of(whole);
  }
}
