package io.hudilite.core.view;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.file.FileGroup;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.history.TimelineHistory;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.CompactionPlan;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.TimelineStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which files a reader may see at one point of the timeline: committed ones, by file group and
 * slice, without replaced file groups. Each folder is listed once, when it is first asked for: what
 * is added to it later belongs to later instants. Safe for several threads. Source: Hudi 1.0.2
 * AbstractTableFileSystemView.
 */
public final class FileSystemView {
  private static final String PARTITION_MARKER = ".hoodie_partition_metadata";
  private static final String METADATA_FOLDER = ".hoodie";

  private final Storage storage;
  private final TableConfig config;
  private final Timeline timeline;

  /** Requested time of the instant that replaced a group. */
  private final Map<FileGroupId, InstantTime> replaced;

  private final Map<FileGroupId, InstantTime> pendingCompactions;
  private final Map<String, List<StoredFile>> listings = new ConcurrentHashMap<>();
  private final TimelineHistory history;

  private FileSystemView(
      Storage storage,
      TableConfig config,
      Timeline timeline,
      Map<FileGroupId, InstantTime> replaced,
      Map<FileGroupId, InstantTime> pendingCompactions) {
    this.storage = requireNonNull(storage, "storage");
    this.config = requireNonNull(config, "config");
    this.timeline = requireNonNull(timeline, "timeline");
    this.replaced = Map.copyOf(replaced);
    this.pendingCompactions = Map.copyOf(pendingCompactions);
    this.history = TimelineHistory.of(storage, config);
  }

  /** Reads the replace commits and the compaction plans of a timeline; lists no folder yet. */
  public static FileSystemView load(
      Storage storage, TableConfig config, Timeline timeline, TimelineStore store)
      throws IOException {
    Map<FileGroupId, InstantTime> replaced = new HashMap<>();
    for (Instant.Completed instant : timeline.completedReplacements()) {
      CommitMetadata commit = store.readCommit(instant);
      commit
          .replacedFileIds()
          .forEach(
              (partition, ids) ->
                  ids.forEach(
                      id ->
                          replaced.merge(
                              new FileGroupId(partition, new FileId(id)),
                              instant.requestedTime(),
                              (a, b) -> a.isBefore(b) ? a : b)));
    }
    Map<FileGroupId, InstantTime> compacting = new HashMap<>();
    for (Instant instant : timeline.pendingCompactions()) {
      CompactionPlan plan = store.readCompactionPlan(instant.requestedTime());
      for (CompactionPlan.Operation operation : plan.operations()) {
        compacting.put(
            new FileGroupId(operation.partitionPath(), new FileId(operation.fileId())),
            instant.requestedTime());
      }
    }
    return new FileSystemView(storage, config, timeline, replaced, compacting);
  }

  /** Partition paths relative to the base path, sorted; {@code ""} for a table without any. */
  public List<String> partitions() throws IOException {
    List<String> found = new ArrayList<>();
    collectPartitions("", found);
    return found.stream().sorted().toList();
  }

  /**
   * A folder with the marker file is a partition, and nothing below it is looked at. Source: Hudi
   * 1.0.2 FileSystemBackedTableMetadata.
   */
  private void collectPartitions(String folder, List<String> found) throws IOException {
    List<StoredFile> content = list(folder);
    if (content.stream()
        .anyMatch(file -> !file.isFolder() && file.name().startsWith(PARTITION_MARKER))) {
      found.add(folder);
      return;
    }
    listings.remove(folder);
    for (StoredFile child : content) {
      if (child.isFolder() && !(folder.isEmpty() && child.name().equals(METADATA_FOLDER))) {
        collectPartitions(folder.isEmpty() ? child.name() : folder + "/" + child.name(), found);
      }
    }
  }

  /**
   * The file groups of a partition, sorted, with all slices that are on the storage, also those of
   * replaced groups. The files of a slice are its own: while a compaction is pending, the newest
   * slice may be empty or hold log files only.
   */
  public List<FileGroup> fileGroups(String partitionPath) throws IOException {
    return groups(slicing(timeline), partitionPath, list(partitionPath));
  }

  /**
   * The newest slice of each file group that is not replaced, as a reader merges it: while a
   * compaction is pending, with the files of the slice before it.
   */
  public List<FileSlice> latestSlices(String partitionPath) throws IOException {
    return latest(partitionPath, slicing(timeline), Optional.empty());
  }

  /** The same, seen from an earlier moment: only instants requested at it or before count. */
  public List<FileSlice> latestSlicesAsOf(String partitionPath, InstantTime time)
      throws IOException {
    return latest(partitionPath, slicing(timeline.requestedUpTo(time)), Optional.of(time));
  }

  /**
   * The newest slice of one file group on another timeline of this table, replaced or not; empty if
   * none of its files is committed there.
   */
  public Optional<FileSlice> latestSliceOn(Timeline other, FileGroupId group) throws IOException {
    FileSlicing slicing = slicing(other);
    List<StoredFile> files =
        list(group.partitionPath()).stream()
            .filter(file -> file.name().contains(group.fileId().value()))
            .toList();
    return groups(slicing, group.partitionPath(), files).stream()
        .filter(found -> found.id().equals(group))
        .findFirst()
        .flatMap(slicing::latestMerged);
  }

  /** Whether a completed instant replaced the file group, so that its rows are gone. */
  public boolean isReplaced(FileGroupId group) {
    return replaced.containsKey(group);
  }

  /** The requested time of the instant that replaced the file group. */
  public Optional<InstantTime> replacedAt(FileGroupId group) {
    return Optional.ofNullable(replaced.get(group));
  }

  /** The requested time of a compaction that is planned for the file group and not completed. */
  public Optional<InstantTime> pendingCompaction(FileGroupId group) {
    return Optional.ofNullable(pendingCompactions.get(group));
  }

  private List<FileSlice> latest(
      String partitionPath, FileSlicing slicing, Optional<InstantTime> asOf) throws IOException {
    List<FileSlice> slices = new ArrayList<>();
    for (FileGroup group : groups(slicing, partitionPath, list(partitionPath))) {
      InstantTime goneAt = replaced.get(group.id());
      if (goneAt == null || (asOf.isPresent() && goneAt.isAfter(asOf.get()))) {
        slicing.latestMerged(group).ifPresent(slices::add);
      }
    }
    return slices;
  }

  private static List<FileGroup> groups(
      FileSlicing slicing, String partitionPath, List<StoredFile> files) throws IOException {
    try {
      return slicing.groups(partitionPath, files);
    } catch (UncheckedIOException e) {
      throw new IOException(e.getCause().getMessage(), e.getCause());
    }
  }

  private FileSlicing slicing(Timeline of) {
    return new FileSlicing(of, pendingCompactions, config.version(), this::archivedCompletion);
  }

  private Optional<InstantTime> archivedCompletion(InstantTime requested) {
    try {
      return history.completionTimeOf(requested);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<StoredFile> list(String folder) throws IOException {
    List<StoredFile> known = listings.get(folder);
    if (known == null) {
      known = List.copyOf(storage.list(folder));
      listings.put(folder, known);
    }
    return known;
  }
}
