package io.hudilite.core.timeline;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a completed write did. Source: HoodieCommitMetadata and HoodieReplaceCommitMetadata of Hudi
 * 1.0.2.
 *
 * @param writeStats the files that were written, in any order
 * @param isCompaction whether it holds no new rows but those of a compaction
 * @param extraMetadata the table schema under {@link #SCHEMA}, and keys of the writer's own
 * @param operationType word of Hudi's WriteOperationType, or {@code ""} if not said
 * @param replacedFileIds file groups that are no longer visible, by partition path
 */
public record CommitMetadata(
    List<WriteStat> writeStats,
    boolean isCompaction,
    Map<String, String> extraMetadata,
    String operationType,
    Map<String, List<String>> replacedFileIds) {

  /** Key of the Avro schema of the table, without meta columns, as JSON. */
  public static final String SCHEMA = "schema";

  /**
   * Key of ours: with {@code true}, its log files hold no record that an older version beats, so
   * that they can be read alone.
   */
  public static final String SUPERSEDED_DROPPED = "hudi-lite.superseded.dropped";

  /**
   * Key of ours: with {@code false}, no key left a file group or came from another one, so that
   * each group's changes can be read by themselves. With {@code true} some did, maybe by a delete
   * in an earlier commit.
   */
  public static final String KEYS_MOVED = "hudi-lite.keys.moved";

  public static final String UPSERT = "UPSERT";
  public static final String INSERT = "INSERT";
  public static final String BULK_INSERT = "BULK_INSERT";
  public static final String COMPACT = "COMPACT";
  public static final String LOG_COMPACT = "LOG_COMPACT";
  public static final String CLUSTER = "CLUSTER";

  /** Brings another {@link #SCHEMA}, and no rows. */
  public static final String ALTER_SCHEMA = "ALTER_SCHEMA";

  public static final String INSERT_OVERWRITE = "INSERT_OVERWRITE";
  public static final String INSERT_OVERWRITE_TABLE = "INSERT_OVERWRITE_TABLE";

  public CommitMetadata {
    writeStats = List.copyOf(writeStats);
    extraMetadata = Map.copyOf(extraMetadata);
    requireNonNull(operationType, "operationType");
    Map<String, List<String>> copied = new TreeMap<>();
    replacedFileIds.forEach((partition, ids) -> copied.put(partition, List.copyOf(ids)));
    replacedFileIds = java.util.Collections.unmodifiableMap(copied);
  }

  /** A write of rows that replaces no file groups. */
  public static CommitMetadata ofWrite(
      String operationType, List<WriteStat> writeStats, Map<String, String> extraMetadata) {
    return new CommitMetadata(writeStats, false, extraMetadata, operationType, Map.of());
  }

  /** The same, in place of some file groups. */
  public CommitMetadata replacing(Map<String, List<String>> groups) {
    return new CommitMetadata(writeStats, isCompaction, extraMetadata, operationType, groups);
  }

  /** The stats by partition path. */
  public Map<String, List<WriteStat>> writeStatsByPartition() {
    Map<String, List<WriteStat>> byPartition = new TreeMap<>();
    for (WriteStat stat : writeStats) {
      byPartition.computeIfAbsent(stat.partitionPath(), path -> new ArrayList<>()).add(stat);
    }
    return byPartition;
  }

  /** The Avro schema of the table as JSON. */
  public Optional<String> schema() {
    return extra(SCHEMA).filter(text -> !text.isEmpty());
  }

  public Optional<String> extra(String key) {
    return Optional.ofNullable(extraMetadata.get(key));
  }

  /** Whether it only moved rows that were in the table before: a compaction or a clustering. */
  public boolean isTableService() {
    return isCompaction
        || operationType.equals(COMPACT)
        || operationType.equals(LOG_COMPACT)
        || operationType.equals(CLUSTER);
  }

  /** Whether it put new rows in place of all rows of a partition or of the table. */
  public boolean isOverwrite() {
    return operationType.equals(INSERT_OVERWRITE) || operationType.equals(INSERT_OVERWRITE_TABLE);
  }

  /** The same with more keys in {@link #extraMetadata}. */
  public CommitMetadata withExtra(Map<String, String> more) {
    Map<String, String> all = new LinkedHashMap<>(extraMetadata);
    all.putAll(more);
    return new CommitMetadata(writeStats, isCompaction, all, operationType, replacedFileIds);
  }
}
