package io.hudilite.core.view;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.BaseFileName;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.file.LogFile;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Lays file names over a timeline: which files form a slice. Pure; the order of the files given
 * does not matter. Files of instants that are not committed are left out before anything else, so
 * that they hide nothing.
 *
 * <p>Version 8: a slice begins with a base file, or a planned compaction; a log file belongs to the
 * newest slice that had begun when the log's instant <em>completed</em>. Version 6: the name of a
 * log file tells its slice, and its blocks tell what is committed. Source: Hudi 1.0.2
 * HoodieFileGroup, CompletionTimeQueryView; 0.15.0 HoodieFileGroup.
 */
final class FileSlicing {
  /** Base files that a table of several formats may have. Source: Hudi 1.2 HoodieFileFormat. */
  private static final Pattern OTHER_BASE_FILE =
      Pattern.compile("[^_.]+_[^_]+_\\d{14,17}\\.(orc|hfile|lance)");

  private final Timeline timeline;
  private final Map<FileGroupId, InstantTime> pendingCompactions;
  private final TableVersion version;
  private final Function<InstantTime, Optional<InstantTime>> archivedCompletion;

  FileSlicing(
      Timeline timeline, Map<FileGroupId, InstantTime> pendingCompactions, TableVersion version) {
    this(timeline, pendingCompactions, version, archived -> Optional.empty());
  }

  /**
   * @param archivedCompletion when an archived instant completed; asked for only where it makes a
   *     difference
   */
  FileSlicing(
      Timeline timeline,
      Map<FileGroupId, InstantTime> pendingCompactions,
      TableVersion version,
      Function<InstantTime, Optional<InstantTime>> archivedCompletion) {
    this.timeline = timeline;
    this.pendingCompactions = pendingCompactions;
    this.version = version;
    this.archivedCompletion = archivedCompletion;
  }

  /** All groups that have a committed file, sorted by id. */
  List<FileGroup> groups(String partitionPath, Collection<StoredFile> files) {
    Map<FileGroupId, Parts> byGroup = new TreeMap<>();
    for (StoredFile file : files) {
      if (file.isFolder()) {
        continue;
      }
      if (OTHER_BASE_FILE.matcher(file.name()).matches()) {
        throw new HudiTableException(
            "The table has the base file '%s/%s': only Parquet ones can be read here. Rewrite the table with Hudi, without 'hoodie.table.multiple.base.file.formats.enable'."
                .formatted(partitionPath, file.name()));
      }
      BaseFileName.parse(file.name())
          .ifPresent(
              name -> {
                FileGroupId id = new FileGroupId(partitionPath, name.fileId());
                parts(byGroup, id).bases.add(new BaseFile(id, name, file.length()));
              });
      LogFileName.parse(file.name())
          .ifPresent(
              name -> {
                FileGroupId id = new FileGroupId(partitionPath, name.fileId());
                parts(byGroup, id).logs.add(new LogFile(id, name, file.length()));
              });
    }
    List<FileGroup> groups = new ArrayList<>();
    byGroup.forEach(
        (id, parts) -> {
          FileGroup group = group(id, parts);
          if (!group.slices().stream().allMatch(FileSlice::isEmpty)) {
            groups.add(group);
          }
        });
    return groups;
  }

  /**
   * The newest slice as a reader merges it: one that began with a compaction which is not completed
   * has the files of the slice before it too.
   */
  Optional<FileSlice> latestMerged(FileGroup group) {
    Optional<FileSlice> latest = group.latestSlice();
    if (latest.isEmpty()
        || latest.get().baseFile().isPresent()
        || group.slices().size() == 1
        || !latest.get().baseInstant().equals(pendingCompactions.get(group.id()))) {
      return latest.filter(slice -> !slice.isEmpty());
    }
    FileSlice before = group.slices().get(1);
    List<LogFile> logs = new ArrayList<>(before.logFiles());
    logs.addAll(latest.get().logFiles());
    return Optional.of(
        new FileSlice(group.id(), before.baseInstant(), before.baseFile().orElse(null), logs));
  }

  private static Parts parts(Map<FileGroupId, Parts> byGroup, FileGroupId id) {
    return byGroup.computeIfAbsent(id, any -> new Parts(new ArrayList<>(), new ArrayList<>()));
  }

  private FileGroup group(FileGroupId id, Parts parts) {
    TreeMap<InstantTime, BaseFile> bases = new TreeMap<>();
    for (BaseFile base : parts.bases) {
      if (timeline.isCommitted(base.name().instant())) {
        // Two files of one instant are attempts of one task; any rule will do that is always the
        // same, since a commit deletes all but one.
        bases.merge(
            base.name().instant(),
            base,
            (a, b) -> a.name().writeToken().compareTo(b.name().writeToken()) >= 0 ? a : b);
      }
    }
    TreeMap<InstantTime, List<LogFile>> slices = new TreeMap<>();
    bases.keySet().forEach(instant -> slices.put(instant, new ArrayList<>()));
    InstantTime planned = pendingCompactions.get(id);
    if (planned != null && timeline.pending(planned).isPresent()) {
      slices.putIfAbsent(planned, new ArrayList<>());
    }
    parts.logs.stream().sorted().forEach(log -> place(log, slices));
    return new FileGroup(
        id,
        slices.entrySet().stream()
            .map(
                slice ->
                    new FileSlice(id, slice.getKey(), bases.get(slice.getKey()), slice.getValue()))
            .toList());
  }

  private void place(LogFile log, NavigableMap<InstantTime, List<LogFile>> slices) {
    InstantTime instant = log.name().instant();
    if (version == TableVersion.SIX) {
      slices.computeIfAbsent(instant, any -> new ArrayList<>()).add(log);
      return;
    }
    if (!timeline.isCommitted(instant)) {
      return;
    }
    Optional<InstantTime> completion = timeline.completionTimeOf(instant);
    if (completion.isEmpty() && slices.higherKey(instant) != null) {
      // A slice began after the request: only if that was before the completion, it has the file.
      completion = archivedCompletion.apply(instant);
    }
    InstantTime completed = completion.orElse(instant);
    InstantTime slice = slices.floorKey(completed);
    slices.computeIfAbsent(slice == null ? instant : slice, any -> new ArrayList<>()).add(log);
  }

  private record Parts(List<BaseFile> bases, List<LogFile> logs) {}
}
