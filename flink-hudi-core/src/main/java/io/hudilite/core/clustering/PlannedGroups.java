package io.hudilite.core.clustering;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.ClusteringPlan;
import io.hudilite.core.view.FileSystemView;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The groups of a plan as the table is at one moment: their files, or why they cannot be clustered
 * as they were planned. Lists the partitions of the plan.
 *
 * @param slices of the groups that can, by their number in the plan
 * @param problems of the others
 */
record PlannedGroups(Map<Integer, List<FileSlice>> slices, Map<Integer, String> problems) {

  static PlannedGroups of(HudiTable table, ClusteringPlan plan) throws IOException {
    FileSystemView view = table.view();
    Map<String, Map<FileGroupId, FileGroup>> partitions = new HashMap<>();
    Map<Integer, List<FileSlice>> slices = new TreeMap<>();
    Map<Integer, String> problems = new TreeMap<>();
    for (int number = 0; number < plan.groups().size(); number++) {
      List<FileSlice> found = new ArrayList<>();
      String problem = null;
      for (ClusteringPlan.Slice slice : plan.groups().get(number).slices()) {
        FileGroupId id = new FileGroupId(slice.partitionPath(), new FileId(slice.fileId()));
        FileGroup group = groups(view, partitions, id.partitionPath()).get(id);
        Optional<String> own = problem(table, view, group, id, slice);
        if (own.isPresent()) {
          problem = own.get();
          break;
        }
        found.add(slice(group, slice));
      }
      if (problem == null && found.isEmpty()) {
        problem = "it has no files";
      }
      if (problem == null) {
        slices.put(number, found);
      } else {
        problems.put(number, problem);
      }
    }
    return new PlannedGroups(slices, problems);
  }

  private static Map<FileGroupId, FileGroup> groups(
      FileSystemView view, Map<String, Map<FileGroupId, FileGroup>> known, String partition)
      throws IOException {
    Map<FileGroupId, FileGroup> groups = known.get(partition);
    if (groups == null) {
      groups = new HashMap<>();
      for (FileGroup group : view.fileGroups(partition)) {
        groups.put(group.id(), group);
      }
      known.put(partition, groups);
    }
    return groups;
  }

  private static Optional<String> problem(
      HudiTable table,
      FileSystemView view,
      @javax.annotation.Nullable FileGroup group,
      FileGroupId id,
      ClusteringPlan.Slice planned)
      throws IOException {
    if (view.isReplaced(id)) {
      return Optional.of("%s was replaced by another instant".formatted(id));
    }
    Set<String> now =
        group == null
            ? Set.of()
            : view.latestSliceOn(table.timeline(), id).map(PlannedGroups::names).orElse(Set.of());
    Set<String> then = new HashSet<>(planned.logFileNames());
    if (!planned.dataFileName().isEmpty()) {
      then.add(planned.dataFileName());
    }
    if (now.equals(then)) {
      return Optional.empty();
    }
    Set<String> added = new HashSet<>(now);
    added.removeAll(then);
    return Optional.of(
        added.isEmpty()
            ? "files of %s are gone: it has %s, not %s".formatted(id, now, then)
            : "%s got %s since it was planned".formatted(id, added));
  }

  private static Set<String> names(FileSlice slice) {
    Set<String> names = new HashSet<>();
    slice.baseFile().map(BaseFile::name).ifPresent(name -> names.add(name.toString()));
    slice.logFiles().forEach(log -> names.add(log.name().toString()));
    return names;
  }

  /** The files of a planned slice, which may be those of two, with a dropped compaction between. */
  private static FileSlice slice(FileGroup group, ClusteringPlan.Slice planned) {
    Set<String> names = Set.copyOf(planned.logFileNames());
    BaseFile base = null;
    FileSlice oldest = null;
    List<LogFile> logs = new ArrayList<>();
    for (FileSlice slice : group.slices()) {
      boolean isOf = false;
      if (slice.baseFile().isPresent()
          && slice.baseFile().get().name().toString().equals(planned.dataFileName())) {
        base = slice.baseFile().get();
        isOf = true;
      }
      for (LogFile log : slice.logFiles()) {
        if (names.contains(log.name().toString())) {
          logs.add(log);
          isOf = true;
        }
      }
      if (isOf && (oldest == null || slice.baseInstant().isBefore(oldest.baseInstant()))) {
        oldest = slice;
      }
    }
    return new FileSlice(group.id(), oldest.baseInstant(), base, logs);
  }
}
