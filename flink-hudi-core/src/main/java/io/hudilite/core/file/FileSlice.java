package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.annotation.Nullable;

/**
 * One version of a file group: a base file, or none, and the log files that belong on top of it, in
 * reading order. Immutable.
 */
public final class FileSlice {
  private final FileGroupId groupId;
  private final InstantTime baseInstant;
  @Nullable private final BaseFile baseFile;
  private final List<LogFile> logFiles;

  /**
   * @param baseInstant requested time of the instant that began the slice
   * @param baseFile null if the slice has log files only
   * @param logFiles in any order
   */
  public FileSlice(
      FileGroupId groupId,
      InstantTime baseInstant,
      @Nullable BaseFile baseFile,
      List<LogFile> logFiles) {
    this.groupId = requireNonNull(groupId, "groupId");
    this.baseInstant = requireNonNull(baseInstant, "baseInstant");
    this.baseFile = baseFile;
    this.logFiles = logFiles.stream().sorted().toList();
  }

  public FileGroupId groupId() {
    return groupId;
  }

  public InstantTime baseInstant() {
    return baseInstant;
  }

  public Optional<BaseFile> baseFile() {
    return Optional.ofNullable(baseFile);
  }

  /** In reading order. */
  public List<LogFile> logFiles() {
    return logFiles;
  }

  /** Whether it has no file: such a slice stands for a compaction that is planned. */
  public boolean isEmpty() {
    return baseFile == null && logFiles.isEmpty();
  }

  public long logBytes() {
    return logFiles.stream().mapToLong(LogFile::lengthBytes).sum();
  }

  public long totalBytes() {
    return logBytes() + (baseFile == null ? 0 : baseFile.lengthBytes());
  }

  /** The same slice without its log files, as read-optimized queries see it. */
  public FileSlice withoutLogFiles() {
    return new FileSlice(groupId, baseInstant, baseFile, List.of());
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof FileSlice other
        && groupId.equals(other.groupId)
        && baseInstant.equals(other.baseInstant)
        && Objects.equals(baseFile, other.baseFile)
        && logFiles.equals(other.logFiles);
  }

  @Override
  public int hashCode() {
    return Objects.hash(groupId, baseInstant, baseFile, logFiles);
  }

  @Override
  public String toString() {
    return "FileSlice(" + groupId + " at " + baseInstant + ": " + baseFile + " + " + logFiles + ")";
  }
}
