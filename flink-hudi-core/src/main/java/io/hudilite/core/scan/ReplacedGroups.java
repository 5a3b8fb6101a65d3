package io.hudilite.core.scan;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which file groups the instants of a range replaced. The rows of an overwritten group are gone;
 * those of a clustered one are in other groups, with their commit times. Pure.
 */
final class ReplacedGroups {
  private final Set<FileGroupId> overwritten = new LinkedHashSet<>();

  /** The groups from whose rows a clustering made another one, in the same partition. */
  private final Map<FileGroupId, Set<FileGroupId>> origins = new LinkedHashMap<>();

  private ReplacedGroups() {}

  /**
   * @param commits all of the range, clusterings among them, in the order of their completion
   */
  static ReplacedGroups of(List<ChangedGroup.Commit> commits) {
    ReplacedGroups groups = new ReplacedGroups();
    for (ChangedGroup.Commit commit : commits) {
      Set<FileGroupId> replaced = replacedBy(commit);
      if (!commit.metadata().isTableService()) {
        replaced.forEach(groups::addOverwritten);
        continue;
      }
      for (var stat : commit.metadata().writeStats()) {
        Set<FileGroupId> inputs = new LinkedHashSet<>(replaced);
        inputs.removeIf(input -> !input.partitionPath().equals(stat.partitionPath()));
        if (!stat.fileId().isEmpty() && !inputs.isEmpty()) {
          groups.origins.put(
              new FileGroupId(stat.partitionPath(), new FileId(stat.fileId())), inputs);
        }
      }
    }
    return groups;
  }

  private static Set<FileGroupId> replacedBy(ChangedGroup.Commit commit) {
    Set<FileGroupId> replaced = new LinkedHashSet<>();
    commit
        .metadata()
        .replacedFileIds()
        .forEach(
            (partition, ids) ->
                ids.forEach(id -> replaced.add(new FileGroupId(partition, new FileId(id)))));
    return replaced;
  }

  /** With a group that was clustered before, what it was made of is gone too. */
  private void addOverwritten(FileGroupId group) {
    if (overwritten.add(group)) {
      origins.getOrDefault(group, Set.of()).forEach(this::addOverwritten);
    }
  }

  Set<FileGroupId> overwritten() {
    return overwritten;
  }

  /** Whether the group's rows are in another group at the end of the range. */
  boolean isClustered(FileGroupId group) {
    return origins.values().stream().anyMatch(inputs -> inputs.contains(group));
  }

  /** Whether the commit is a clustering that took rows out of one of the groups. */
  static boolean clusters(ChangedGroup.Commit commit, Set<FileGroupId> groups) {
    if (!commit.metadata().isTableService()) {
      return false;
    }
    Set<FileGroupId> taken = new HashSet<>(replacedBy(commit));
    taken.retainAll(groups);
    return !taken.isEmpty();
  }
}
