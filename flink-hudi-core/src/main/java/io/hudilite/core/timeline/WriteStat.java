package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One file that an instant wrote. Counts are -1 where a foreign writer did not say. Source:
 * HoodieWriteStat of Hudi 1.0.2.
 *
 * @param fileId of the file group
 * @param path relative to the base path
 * @param partitionPath {@code ""} if not partitioned
 * @param prevCommit base file: instant of the base file before, or {@code "null"} for a new group;
 *     log file: the instant itself
 * @param numWrites base file: rows in it; log file: upserts
 * @param fileSizeInBytes the exact length: other engines do not ask the storage
 * @param logVersion version in a log file's name, 0 for base files
 * @param baseFile log file: name of the base file of its slice, or {@code ""}
 * @param logFiles log file: its own name; empty for base files
 * @param cdcStats change files by path, with their sizes
 * @param prevBaseFile base file: name of the one before, or {@code ""}
 * @param compactedLogs base file of a compaction: what it was made of besides
 */
public record WriteStat(
    String fileId,
    String path,
    String partitionPath,
    String prevCommit,
    long numWrites,
    long numInserts,
    long numUpdateWrites,
    long numDeletes,
    long fileSizeInBytes,
    int logVersion,
    String baseFile,
    List<String> logFiles,
    Map<String, Long> cdcStats,
    String prevBaseFile,
    CompactedLogs compactedLogs) {

  /** Log files that a compaction folded into a base file. */
  public record CompactedLogs(long files, long bytes) {
    /** No compaction. */
    public static final CompactedLogs NONE = new CompactedLogs(0, 0);
  }

  /** Value of {@link #prevCommit} for the first base file of a file group. */
  public static final String NO_PREVIOUS_COMMIT = "null";

  public WriteStat {
    requireNonNull(fileId, "fileId");
    requireNonNull(path, "path");
    requireNonNull(partitionPath, "partitionPath");
    requireNonNull(prevCommit, "prevCommit");
    requireNonNull(baseFile, "baseFile");
    requireNonNull(prevBaseFile, "prevBaseFile");
    requireNonNull(compactedLogs, "compactedLogs");
    logFiles = List.copyOf(logFiles);
    cdcStats = Map.copyOf(cdcStats);
  }

  /** Of a file that was not written by a compaction. */
  public WriteStat(
      String fileId,
      String path,
      String partitionPath,
      String prevCommit,
      long numWrites,
      long numInserts,
      long numUpdateWrites,
      long numDeletes,
      long fileSizeInBytes,
      int logVersion,
      String baseFile,
      List<String> logFiles,
      Map<String, Long> cdcStats,
      String prevBaseFile) {
    this(
        fileId,
        path,
        partitionPath,
        prevCommit,
        numWrites,
        numInserts,
        numUpdateWrites,
        numDeletes,
        fileSizeInBytes,
        logVersion,
        baseFile,
        logFiles,
        cdcStats,
        prevBaseFile,
        CompactedLogs.NONE);
  }

  /** A new log file of table version 8. */
  public static WriteStat ofLogFile(
      InstantTime instant,
      String fileId,
      String partitionPath,
      String fileName,
      int logVersion,
      String baseFile,
      long upserts,
      long deletes,
      long fileSizeInBytes) {
    return new WriteStat(
        fileId,
        pathOf(partitionPath, fileName),
        partitionPath,
        instant.toString(),
        upserts,
        0,
        upserts,
        deletes,
        fileSizeInBytes,
        logVersion,
        baseFile,
        List.of(fileName),
        Map.of(),
        "");
  }

  /** The first base file of a file group, all of whose rows are inserts. */
  public static WriteStat ofNewBaseFile(
      String fileId, String partitionPath, String fileName, long rows, long fileSizeInBytes) {
    return new WriteStat(
        fileId,
        pathOf(partitionPath, fileName),
        partitionPath,
        NO_PREVIOUS_COMMIT,
        rows,
        rows,
        0,
        0,
        fileSizeInBytes,
        0,
        "",
        List.of(),
        Map.of(),
        "");
  }

  /** A base file that takes the place of another one of its group. */
  public static WriteStat ofRewrittenBaseFile(
      String fileId,
      String partitionPath,
      String fileName,
      InstantTime prevCommit,
      String prevBaseFile,
      long rows,
      long inserts,
      long updates,
      long deletes,
      long fileSizeInBytes) {
    return new WriteStat(
        fileId,
        pathOf(partitionPath, fileName),
        partitionPath,
        prevCommit.toString(),
        rows,
        inserts,
        updates,
        deletes,
        fileSizeInBytes,
        0,
        "",
        List.of(),
        Map.of(),
        prevBaseFile);
  }

  /**
   * A base file that a compaction made of the slice before it.
   *
   * @param prevCommit base instant of that slice
   * @param prevBaseFile its base file, or {@code ""}
   */
  public static WriteStat ofCompactedFile(
      String fileId,
      String partitionPath,
      String fileName,
      InstantTime prevCommit,
      String prevBaseFile,
      long rows,
      long fileSizeInBytes,
      CompactedLogs logs) {
    return new WriteStat(
        fileId,
        pathOf(partitionPath, fileName),
        partitionPath,
        prevCommit.toString(),
        rows,
        0,
        0,
        0,
        fileSizeInBytes,
        0,
        "",
        List.of(),
        Map.of(),
        prevBaseFile,
        logs);
  }

  /**
   * The stats of one commit without those of base files that another one of them replaced: two
   * checkpoints may share an instant. Who replaced one takes over its predecessor and its counts.
   */
  public static List<WriteStat> withoutReplaced(List<WriteStat> stats) {
    Map<String, WriteStat> baseFiles = new HashMap<>();
    for (WriteStat stat : stats) {
      if (!stat.isLogFile()) {
        baseFiles.put(pathOf(stat.partitionPath, stat.fileName()), stat);
      }
    }
    Set<String> replaced = new HashSet<>();
    List<WriteStat> result = new ArrayList<>(stats.size());
    for (WriteStat stat : stats) {
      WriteStat whole = stat;
      WriteStat before = baseFiles.get(pathOf(stat.partitionPath, stat.prevBaseFile));
      while (before != null && !stat.isLogFile()) {
        replaced.add(before.path);
        whole = whole.onTopOf(before);
        before = baseFiles.get(pathOf(before.partitionPath, before.prevBaseFile));
      }
      result.add(whole);
    }
    result.removeIf(stat -> replaced.contains(stat.path));
    return result;
  }

  private WriteStat onTopOf(WriteStat before) {
    return new WriteStat(
        fileId,
        path,
        partitionPath,
        before.prevCommit,
        numWrites,
        numInserts + before.numInserts,
        Math.max(0, numUpdateWrites - before.numInserts),
        numDeletes + before.numDeletes,
        fileSizeInBytes,
        logVersion,
        baseFile,
        logFiles,
        cdcStats,
        before.prevBaseFile);
  }

  public boolean isLogFile() {
    return !logFiles.isEmpty() || fileName().startsWith(".");
  }

  /** Last part of the path. */
  public String fileName() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String pathOf(String partitionPath, String fileName) {
    return partitionPath.isEmpty() ? fileName : partitionPath + "/" + fileName;
  }
}
