package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BloomFilter;
import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.key.BucketHash;
import io.hudilite.core.key.ByteText;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyGenerator;
import io.hudilite.core.schema.TableSchema;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * The few record keys that rows can have for which a condition is true: {@code id = 5}, {@code id
 * IN ('a', 'b') AND ts > 3}. Of key columns with whole numbers and texts only: what text other
 * values have in keys differs between writers. Immutable.
 */
public final class WantedKeys {
  /** Longer lists cost more than they spare. */
  private static final int MAX_KEYS = 1_000;

  private final Set<String> keys;

  private WantedKeys(Set<String> keys) {
    this.keys = keys;
  }

  /** Empty if rows with any key, or with too many keys, may be wanted. */
  public static Optional<WantedKeys> of(
      ColumnCondition condition, TableSchema schema, KeyFormat format) {
    List<String> columns = schema.recordKeyColumns();
    if (columns.isEmpty()
        || format.keyGenerator() == KeyGenerator.CUSTOM
        || format.keyGenerator() == KeyGenerator.UNKNOWN) {
      return Optional.empty();
    }
    List<String> texts = List.of("");
    for (int i = 0; i < columns.size(); i++) {
      String column = columns.get(i);
      LogicalType type = schema.rowType().getTypeAt(schema.rowType().getFieldIndex(column));
      Optional<Set<Comparable<?>>> values = condition.valuesOf(column);
      if (values.isEmpty()) {
        return Optional.empty();
      }
      List<String> longer = new ArrayList<>();
      for (Comparable<?> value : values.get()) {
        Optional<String> text = textOf(value, type);
        if (text.isEmpty() || (long) texts.size() * values.get().size() > MAX_KEYS) {
          return Optional.empty();
        }
        String field = columns.size() == 1 ? text.get() : column + ":" + text.get();
        for (String begin : texts) {
          longer.add(i == 0 ? field : begin + "," + field);
        }
      }
      texts = longer;
    }
    Set<String> keys = new HashSet<>(texts);
    if (columns.size() == 1) {
      // Versions of Hudi differ in whether a single key column is named.
      texts.forEach(text -> keys.add(columns.get(0) + ":" + text));
    }
    return Optional.of(new WantedKeys(keys));
  }

  private static Optional<String> textOf(Comparable<?> value, LogicalType type) {
    return switch (type.getTypeRoot()) {
      case INTEGER, BIGINT ->
          value instanceof Long ? Optional.of(value.toString()) : Optional.empty();
      case VARCHAR ->
          value instanceof ByteText && !value.toString().isEmpty()
              ? Optional.of(value.toString())
              : Optional.empty();
      default -> Optional.empty();
    };
  }

  /** Whether a file may have one of the keys, as its footer tells. */
  public boolean mayBeIn(BaseFileReader file) throws IOException {
    Optional<String> min = file.minRecordKey();
    Optional<String> max = file.maxRecordKey();
    if (min.isEmpty() || max.isEmpty()) {
      return true; // a writer that says nothing of keys may have left them out of the filter too
    }
    List<String> within =
        keys.stream()
            .filter(key -> key.compareTo(min.get()) >= 0 && key.compareTo(max.get()) <= 0)
            .toList();
    if (within.isEmpty()) {
      return false;
    }
    Optional<BloomFilter> filter = file.bloomFilter();
    return filter.isEmpty() || within.stream().anyMatch(filter.get()::mightContain);
  }

  /** The buckets that the keys are in. */
  public Set<Integer> buckets(BucketHash hash) {
    Set<Integer> buckets = new HashSet<>();
    for (String key : keys) {
      byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
      buckets.add(hash.bucketOf(utf8, 0, utf8.length));
    }
    return buckets;
  }

  @Override
  public String toString() {
    return keys.toString();
  }
}
