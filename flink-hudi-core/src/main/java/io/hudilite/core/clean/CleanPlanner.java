package io.hudilite.core.clean;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CleanMetadata;
import io.hudilite.core.timeline.CleanPlan;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Finds the slices that the retained time does not need. Looks only at partitions in which a commit
 * has made a slice old since the last clean, and at those where something was held back then. Keeps
 * what it learned from one plan to the next; not safe for use by several threads.
 */
public final class CleanPlanner {
  private final CleanRetention retention;

  /** What was looked at last by this object, when nothing was found and so nothing written. */
  private Optional<InstantTime> lookedUpTo = Optional.empty();

  private Set<String> deferred = Set.of();

  /** The partitions that a write touched; each commit is read once. */
  private final Map<InstantTime, Set<String>> partitionsOfWrites = new HashMap<>();

  public CleanPlanner(CleanRetention retention) {
    this.retention = requireNonNull(retention, "retention");
  }

  /**
   * Plans what to delete.
   *
   * @param table as it is now
   * @param now time of the clean
   * @param oldestLease the oldest position that a reader holds
   * @return without files if none is too old; empty if there are not even enough commits
   */
  public Optional<CleanPlan> plan(
      HudiTable table, InstantTime now, Optional<InstantTime> oldestLease) throws IOException {
    Timeline timeline = table.timeline();
    Optional<Instant> earliest =
        retention.earliestToRetain(timeline, now, table.config().timelineZone());
    if (earliest.isEmpty() && retention.policy() != CleanPolicy.KEEP_LATEST_FILE_VERSIONS) {
      return Optional.empty();
    }
    SliceGuard guard = SliceGuard.of(table, oldestLease);
    InstantTime upTo = earliest.map(Instant::requestedTime).orElse(now);
    Set<String> held = new TreeSet<>();
    Map<String, List<String>> files = new TreeMap<>();
    FileSystemView view = table.view();
    for (String partition : partitions(table, upTo)) {
      List<String> names = new ArrayList<>();
      for (FileGroup group : view.fileGroups(partition)) {
        for (FileSlice slice : old(group, table, earliest)) {
          if (guard.protects(group, slice)) {
            held.add(partition);
          } else {
            names.addAll(SliceGuard.names(slice));
          }
        }
      }
      if (!names.isEmpty()) {
        names.sort(null);
        files.put(partition, names);
      }
    }
    lookedUpTo = Optional.of(upTo);
    deferred = held;
    return Optional.of(
        new CleanPlan(
            earliest,
            newestWrite(timeline).map(InstantTime::digits).orElse(""),
            retention.policy().name(),
            files,
            held.isEmpty() ? Map.of() : Map.of(CleanMetadata.DEFERRED, String.join("\n", held))));
  }

  private static Optional<InstantTime> newestWrite(Timeline timeline) {
    return timeline.completedWrites().stream()
        .map(Instant.Completed::requestedTime)
        .max(InstantTime::compareTo);
  }

  /** The slices that the retention does not need. Source: Hudi 1.0.2 CleanPlanner. */
  private List<FileSlice> old(FileGroup group, HudiTable table, Optional<Instant> earliest)
      throws IOException {
    // A clustering may be completed long after it was planned: until then all read the old group.
    Optional<InstantTime> replaced =
        table
            .view()
            .replacedAt(group.id())
            .map(time -> table.timeline().completionTimeOf(time).orElse(time));
    if (retention.policy() == CleanPolicy.KEEP_LATEST_FILE_VERSIONS) {
      return replaced.isPresent()
          ? group.slices()
          : group.slices().stream().skip(retention.fileVersions()).toList();
    }
    InstantTime from = earliest.orElseThrow().requestedTime();
    if (replaced.isPresent()) {
      return replaced.get().isBefore(from) ? group.slices() : List.of();
    }
    Optional<InstantTime> lastBefore = SliceGuard.lastBefore(group, from);
    return group.slices().stream()
        .skip(1) // the newest
        .filter(slice -> slice.baseInstant().isBefore(from))
        .filter(
            slice ->
                retention.policy() == CleanPolicy.KEEP_LATEST_BY_HOURS
                    || !slice.baseInstant().equals(lastBefore.orElseThrow()))
        .toList();
  }

  /**
   * A slice becomes old when a write before the earliest retained one has begun a newer slice of
   * its group, or has replaced it; so it takes the partitions of those writes that were retained at
   * the last clean, or not completed.
   */
  private Collection<String> partitions(HudiTable table, InstantTime upTo) throws IOException {
    Timeline timeline = table.timeline();
    Optional<CleanMetadata> last = lastClean(table);
    Optional<InstantTime> from =
        last.flatMap(clean -> beginning(clean))
            .filter(time -> lookedUpTo.isEmpty() || time.isAfter(lookedUpTo.get()))
            .or(() -> lookedUpTo);
    Set<String> partitions = new TreeSet<>(deferred);
    last.map(CleanMetadata::heldPartitions).ifPresent(partitions::addAll);
    if (from.isEmpty() || timeline.isBeforeStart(from.get())) {
      if (TimelineHistory.of(table.storage(), table.config())
          .mayHaveWritesAfter(from.orElse(InstantTime.BEGINNING))) {
        return table.view().partitions();
      }
    }
    InstantTime since = from.orElse(InstantTime.BEGINNING);
    Set<InstantTime> known =
        timeline.completedWrites().stream()
            .map(Instant.Completed::requestedTime)
            .collect(Collectors.toSet());
    partitionsOfWrites.keySet().retainAll(known);
    for (Instant.Completed write : timeline.completedWrites()) {
      if (!write.completionTime().isBefore(since) && !write.requestedTime().isAfter(upTo)) {
        partitions.addAll(partitionsOf(table, write));
      }
    }
    return partitions;
  }

  /** By commits: what was retained then; by file versions: all that came after it was planned. */
  private Optional<InstantTime> beginning(CleanMetadata clean) {
    String text =
        retention.policy() == CleanPolicy.KEEP_LATEST_FILE_VERSIONS
            ? clean.lastCompletedCommit()
            : clean.earliestToRetain();
    return text.isEmpty() ? Optional.empty() : Optional.of(new InstantTime(text));
  }

  private Set<String> partitionsOf(HudiTable table, Instant.Completed write) throws IOException {
    Set<String> known = partitionsOfWrites.get(write.requestedTime());
    if (known == null) {
      CommitMetadata commit = table.timelineStore().readCommit(write);
      known = new TreeSet<>(commit.replacedFileIds().keySet());
      known.addAll(commit.writeStatsByPartition().keySet());
      partitionsOfWrites.put(write.requestedTime(), known);
    }
    return known;
  }

  private static Optional<CleanMetadata> lastClean(HudiTable table) throws IOException {
    List<Instant> instants = table.timeline().instants();
    for (int i = instants.size() - 1; i >= 0; i--) {
      if (instants.get(i).action() == Action.CLEAN
          && instants.get(i) instanceof Instant.Completed completed) {
        return Optional.of(table.timelineStore().readCleanMetadata(completed));
      }
    }
    return Optional.empty();
  }
}
