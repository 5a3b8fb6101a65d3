package io.hudilite.core.log;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.key.OrderingValue;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** One record of a delete block. Immutable as long as nobody changes the key's array. */
public final class DeletedRecord {
  private final byte[] recordKey;
  private final String partitionPath;
  private final OrderingValue ordering;

  /**
   * @param recordKey UTF-8
   */
  public DeletedRecord(byte[] recordKey, String partitionPath, OrderingValue ordering) {
    this.recordKey = requireNonNull(recordKey, "recordKey");
    this.partitionPath = requireNonNull(partitionPath, "partitionPath");
    this.ordering = requireNonNull(ordering, "ordering");
  }

  /** UTF-8; not to be changed. */
  public byte[] recordKey() {
    return recordKey;
  }

  public String recordKeyText() {
    return new String(recordKey, StandardCharsets.UTF_8);
  }

  public String partitionPath() {
    return partitionPath;
  }

  /** {@link OrderingValue#isDefault()} if the delete wins whatever the ordering. */
  public OrderingValue ordering() {
    return ordering;
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof DeletedRecord other
        && Arrays.equals(recordKey, other.recordKey)
        && partitionPath.equals(other.partitionPath)
        && ordering.equals(other.ordering);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(recordKey) * 31 + partitionPath.hashCode();
  }

  @Override
  public String toString() {
    return "deleted " + recordKeyText() + " in '" + partitionPath + "' at " + ordering;
  }
}
