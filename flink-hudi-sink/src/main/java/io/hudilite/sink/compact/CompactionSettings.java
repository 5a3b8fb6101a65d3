package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.sink.config.ClusteringConfig;
import io.hudilite.sink.config.CompactionConfig;
import io.hudilite.sink.config.HousekeepingConfig;
import java.io.Serializable;
import java.time.Duration;

/**
 * What coordinator and operators of compactions need to know.
 *
 * @param path base path of the table
 * @param run id of this job start and sink
 * @param mode who decides when there is work
 * @param clustering of the same job
 * @param announcesClusterings whether the writers know where keys are, and so hear of a clustering
 *     two checkpoints before it completes
 * @param housekeeping what is tidied up after commits, beside a writer
 * @param compression of the new base files
 * @param rowGroupBytes of the new base files; less when the heap is small
 * @param pageBytes of the new base files
 */
public record CompactionSettings(
    String path,
    String run,
    Mode mode,
    CompactionConfig config,
    ClusteringConfig clustering,
    boolean announcesClusterings,
    HousekeepingConfig housekeeping,
    BaseFileSettings.Compression compression,
    long rowGroupBytes,
    int pageBytes)
    implements Serializable {

  /** Where the compactions run. */
  public enum Kind {
    /** In the job that writes the table: after its commits. */
    BESIDE_WRITER,
    /** In a job of its own that ends when there is nothing more to do. */
    ONCE,
    /** In a job of its own that looks again and again. */
    SERVICE
  }

  /**
   * In which kind of job compactions run.
   *
   * @param interval between two looks of {@link Kind#SERVICE}
   */
  public record Mode(Kind kind, Duration interval) implements Serializable {
    /** In the job that writes the table. */
    public static final Mode BESIDE_WRITER = new Mode(Kind.BESIDE_WRITER, Duration.ZERO);

    /** In a job of its own that ends. */
    public static final Mode ONCE = new Mode(Kind.ONCE, Duration.ZERO);

    public Mode {
      requireNonNull(kind, "kind");
      requireNonNull(interval, "interval");
    }
  }

  public CompactionSettings {
    requireNonNull(path, "path");
    requireNonNull(run, "run");
    requireNonNull(mode, "mode");
    requireNonNull(config, "config");
    requireNonNull(clustering, "clustering");
    requireNonNull(housekeeping, "housekeeping");
    requireNonNull(compression, "compression");
  }

  /** Without clustering. */
  public CompactionSettings(
      String path,
      String run,
      Mode mode,
      CompactionConfig config,
      HousekeepingConfig housekeeping,
      BaseFileSettings.Compression compression,
      long rowGroupBytes,
      int pageBytes) {
    this(
        path,
        run,
        mode,
        config,
        ClusteringConfig.OFF,
        false,
        housekeeping,
        compression,
        rowGroupBytes,
        pageBytes);
  }

  /** Whether plans are made. */
  boolean schedules() {
    return config.schedules() || clustering.schedules();
  }

  /** Whether plans are carried out. */
  boolean executes() {
    return config.executes() || clustering.executes();
  }
}
