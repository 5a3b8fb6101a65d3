package io.hudilite.core.table;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableConfig;
import io.hudilite.core.key.BucketCounts;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.Timeline;
import io.hudilite.core.timeline.WriteStat;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where Hudi's other engines look for bucket counts that differ by partition: small JSON files, the
 * newest of which counts. They are not in {@code hoodie.properties} of a table that Hudi made.
 * Source: PartitionBucketIndexHashingConfig of Hudi 1.1.
 *
 * <pre>
 * .hoodie/.bucket_index/partition_bucket_index_meta/configs/00000000000000.hashing_config
 * { "expressions" : "dt=2026-.*,16", "defaultBucketNumber" : 4, "rule" : "regex", "version" : 1,
 *   "instant" : "00000000000000" }
 * </pre>
 */
public final class BucketCountsStore {
  private static final String FOLDER = ".hoodie/.bucket_index/partition_bucket_index_meta";
  private static final String CONFIGS = FOLDER + "/configs";
  private static final String ARCHIVE = FOLDER + "/archive";
  private static final String SUFFIX = ".hashing_config";

  /** Of a table that is new. */
  private static final String FIRST = "00000000000000";

  private static final String RULE = "regex";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final Pattern BUCKET_ID = Pattern.compile("0000\\d{4}-");

  private BucketCountsStore() {}

  /** Writes down the counts of a table whose config names some, unless that was done before. */
  public static void ensure(Storage storage, TableConfig table) throws IOException {
    requireNonNull(storage, "storage");
    if (table.bucketExpressions().isBlank() || table.bucketNumber().isEmpty()) {
      return;
    }
    if (!storage.list(CONFIGS).isEmpty()) {
      return;
    }
    storage.makeFolder(CONFIGS);
    storage.makeFolder(ARCHIVE);
    ObjectNode json = MAPPER.createObjectNode();
    json.put("expressions", table.bucketExpressions());
    json.put("defaultBucketNumber", table.bucketNumber().getAsInt());
    json.put("rule", RULE);
    json.put("version", 1);
    json.put("instant", FIRST);
    try {
      storage.createNew(
          CONFIGS + "/" + FIRST + SUFFIX,
          MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(json));
    } catch (FileAlreadyExistsException e) {
      // Another start of this or another job has done so; it had the same table.
    }
  }

  /**
   * The bucket counts of a table: as any engine has written them down last, else those of its
   * config; empty if neither tells, which does not mean that it has no buckets.
   *
   * @throws HudiTableException if their rule is not known here
   */
  public static Optional<BucketCounts> of(HudiTable table) throws IOException {
    Optional<BucketCounts> written = find(table.storage(), table.timeline());
    return written.isPresent() ? written : of(table.config());
  }

  /** The bucket counts that a config tells. */
  public static Optional<BucketCounts> of(TableConfig config) {
    return config.bucketNumber().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new BucketCounts(config.bucketNumber().getAsInt(), config.bucketExpressions()));
  }

  /**
   * Whether the files of the newest commit are called as buckets are. Tables of Hudi do not say it
   * elsewhere. Four zeros at the start of each id are hardly a coincidence.
   */
  public static boolean looksBucketed(HudiTable table) throws IOException {
    List<Instant.Completed> writes = table.timeline().completedWrites();
    for (int i = writes.size() - 1; i >= 0; i--) {
      List<WriteStat> stats = table.timelineStore().readCommit(writes.get(i)).writeStats();
      if (!stats.isEmpty()) {
        return stats.stream().allMatch(stat -> BUCKET_ID.matcher(stat.fileId()).lookingAt());
      }
    }
    return false;
  }

  /**
   * The counts that another engine has written down; empty if there are none.
   *
   * @throws HudiTableException if their rule is not known here
   */
  public static Optional<BucketCounts> find(Storage storage, Timeline timeline) throws IOException {
    // A rescaling that is under way has written its counts already.
    Set<String> pending =
        timeline.pendingWrites().stream()
            .map(Instant::requestedTime)
            .map(time -> time.digits() + SUFFIX)
            .collect(Collectors.toSet());
    List<String> names =
        storage.list(CONFIGS).stream()
            .map(StoredFile::name)
            .filter(name -> name.endsWith(SUFFIX) && !pending.contains(name))
            .sorted()
            .toList();
    if (names.isEmpty()) {
      return Optional.empty();
    }
    String path = CONFIGS + "/" + names.get(names.size() - 1);
    JsonNode json = MAPPER.readTree(storage.read(path));
    String rule = json.path("rule").asText("");
    if (!rule.equalsIgnoreCase(RULE)) {
      throw new HudiTableException(
          "The table at '%s' counts its buckets by the rule '%s', which is not known here (%s). Write it with the engine that made it, or read it into a new table."
              .formatted(storage.location(), rule, path));
    }
    return Optional.of(
        new BucketCounts(
            json.path("defaultBucketNumber").asInt(), json.path("expressions").asText("")));
  }
}
