package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableVersion;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The text form of record keys and partition paths, as {@code hoodie.properties} tells it.
 *
 * @param hiveStyle {@code column=value} instead of {@code value} in partition paths
 * @param urlEncode whether characters that paths dislike are written as {@code %XX}
 * @param defaultPartitionName stands for null and empty values in paths
 * @param times of generators TIMESTAMP and CUSTOM: the partition columns that stand as formatted
 *     times; empty if the table does not say how
 */
public record KeyFormat(
    boolean hiveStyle,
    boolean urlEncode,
    String defaultPartitionName,
    KeyGenerator keyGenerator,
    List<TimePartition> times)
    implements Serializable {
  /** Source: PartitionPathEncodeUtils of Hudi 1.0.2. */
  public static final String DEFAULT_PARTITION_NAME = "__HIVE_DEFAULT_PARTITION__";

  public KeyFormat {
    requireNonNull(defaultPartitionName, "defaultPartitionName");
    requireNonNull(keyGenerator, "keyGenerator");
    times = new ArrayList<>(times); // travels in job graphs
  }

  /** A form without times. */
  public KeyFormat(
      boolean hiveStyle,
      boolean urlEncode,
      String defaultPartitionName,
      KeyGenerator keyGenerator) {
    this(hiveStyle, urlEncode, defaultPartitionName, keyGenerator, List.of());
  }

  /** How a partition column becomes a formatted time; empty if it stands as it is. */
  Optional<TimePartition> time(String column) {
    return times.stream().filter(time -> time.column().equals(column)).findFirst();
  }

  /** The form that a table's config tells. Source: Hudi 1.1 KeyGenUtils for single complex keys. */
  public static KeyFormat of(TableConfig config) {
    List<TimePartition> times = times(config);
    boolean knowsTimes = times.size() == config.timePartitionFields().size();
    KeyGenerator generator =
        switch (config.keyGenerator()) {
          case SIMPLE -> KeyGenerator.SIMPLE;
          case COMPLEX ->
              config.version() == TableVersion.NINE
                  ? KeyGenerator.COMPLEX_WITH_FIELD_NAME
                  : KeyGenerator.COMPLEX;
          case NON_PARTITION, GLOBAL_DELETE -> KeyGenerator.NON_PARTITION;
          case TIMESTAMP ->
              knowsTimes && times.size() == 1 ? KeyGenerator.TIMESTAMP : KeyGenerator.UNKNOWN;
          case CUSTOM ->
              knowsTimes && config.hasPartitionKinds() ? KeyGenerator.CUSTOM : KeyGenerator.UNKNOWN;
        };
    return new KeyFormat(
        config.isHiveStylePartitioned(),
        config.isPartitionPathUrlEncoded(),
        DEFAULT_PARTITION_NAME,
        generator,
        times);
  }

  private static List<TimePartition> times(TableConfig config) {
    List<TimePartition> times = new ArrayList<>();
    for (String column : config.timePartitionFields()) {
      TimePartition.of(column, config.properties()).ifPresent(times::add);
    }
    return times;
  }
}
