package io.hudilite.core.key;

import static java.util.Objects.requireNonNull;

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
}
