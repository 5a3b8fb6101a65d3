package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.timeline.CompactionPlan;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Picks what to compact. Pure: no I/O and no clock, so equal input gives an equal plan. The metrics
 * in a plan are those that Hudi's executor reads. Source: Hudi 1.0.2 CompactionStrategy.
 */
public final class CompactionPlanner {
  private static final double MEGABYTE = 1024 * 1024;

  private final PlanLimits limits;

  public CompactionPlanner(PlanLimits limits) {
    this.limits = requireNonNull(limits, "limits");
  }

  /**
   * Plans which slices to merge.
   *
   * @param latest the newest slice of each file group with its own files only: whose log files are
   *     all committed
   * @param busy groups that another plan has already
   * @return empty if no slice has log files that may be compacted
   */
  public Optional<CompactionPlan> plan(List<FileSlice> latest, Set<FileGroupId> busy) {
    List<FileSlice> candidates =
        latest.stream()
            .filter(slice -> !slice.logFiles().isEmpty() && !busy.contains(slice.groupId()))
            .filter(
                slice ->
                    limits.order() != PlanOrder.LOG_SIZE
                        || slice.logBytes() >= limits.minLogBytes())
            .sorted(order().thenComparing(FileSlice::groupId))
            .toList();
    List<CompactionPlan.Operation> operations = new ArrayList<>();
    long left = limits.order() == PlanOrder.UNBOUNDED ? Long.MAX_VALUE : limits.targetIoBytes();
    for (FileSlice slice : candidates) {
      long io = readBytes(slice) + writtenBytes(slice);
      if (!operations.isEmpty() && io > left) {
        break;
      }
      left -= io;
      operations.add(operation(slice));
    }
    return operations.isEmpty() ? Optional.empty() : Optional.of(new CompactionPlan(operations));
  }

  private Comparator<FileSlice> order() {
    return switch (limits.order()) {
      case LOG_SIZE -> Comparator.comparingLong(FileSlice::logBytes).reversed();
      case LOG_COUNT ->
          Comparator.comparingInt((FileSlice slice) -> slice.logFiles().size()).reversed();
      case NEWEST_PARTITION ->
          Comparator.comparing((FileSlice slice) -> slice.groupId().partitionPath()).reversed();
      case BOUNDED_IO, UNBOUNDED -> Comparator.comparing(FileSlice::groupId);
    };
  }

  private CompactionPlan.Operation operation(FileSlice slice) {
    return new CompactionPlan.Operation(
        slice.groupId().partitionPath(),
        slice.groupId().fileId().value(),
        slice.baseInstant().digits(),
        slice.baseFile().map(file -> file.name().toString()).orElse(""),
        slice.logFiles().stream().map(log -> log.name().toString()).toList(),
        Map.of(
            "TOTAL_LOG_FILES", (double) slice.logFiles().size(),
            "TOTAL_LOG_FILES_SIZE", (double) slice.logBytes(),
            "TOTAL_IO_READ_MB", readBytes(slice) / MEGABYTE,
            "TOTAL_IO_WRITE_MB", writtenBytes(slice) / MEGABYTE,
            "TOTAL_IO_MB", (readBytes(slice) + writtenBytes(slice)) / MEGABYTE));
  }

  private static long readBytes(FileSlice slice) {
    return slice.totalBytes();
  }

  private long writtenBytes(FileSlice slice) {
    return slice.baseFile().map(BaseFile::lengthBytes).orElse(limits.baseFileBytes());
  }
}
