package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import io.hudilite.core.config.TableVersion;
import java.io.Serializable;

/**
 * The text form of record keys and partition paths, as {@code hoodie.properties} tells it.
 *
 * @param hiveStyle {@code column=value} instead of {@code value} in partition paths
 * @param urlEncode whether characters that paths dislike are written as {@code %XX}
 * @param defaultPartitionName stands for null and empty values in paths
 */
public record KeyFormat(
    boolean hiveStyle, boolean urlEncode, String defaultPartitionName, KeyGenerator keyGenerator)
    implements Serializable {
  /** Source: PartitionPathEncodeUtils of Hudi 1.0.2. */
  public static final String DEFAULT_PARTITION_NAME = "__HIVE_DEFAULT_PARTITION__";

  public KeyFormat {
    requireNonNull(defaultPartitionName, "defaultPartitionName");
    requireNonNull(keyGenerator, "keyGenerator");
  }

  /** The form that a table's config tells. Source: Hudi 1.1 KeyGenUtils for single complex keys. */
  public static KeyFormat of(TableConfig config) {
    KeyGenerator generator =
        switch (config.keyGenerator()) {
          case SIMPLE -> KeyGenerator.SIMPLE;
          case COMPLEX ->
              config.version() == TableVersion.NINE
                  ? KeyGenerator.COMPLEX_WITH_FIELD_NAME
                  : KeyGenerator.COMPLEX;
          case NON_PARTITION, GLOBAL_DELETE -> KeyGenerator.NON_PARTITION;
          case TIMESTAMP -> KeyGenerator.TIMESTAMP;
          case CUSTOM -> KeyGenerator.CUSTOM;
        };
    return new KeyFormat(
        config.isHiveStylePartitioned(),
        config.isPartitionPathUrlEncoded(),
        DEFAULT_PARTITION_NAME,
        generator);
  }
}
