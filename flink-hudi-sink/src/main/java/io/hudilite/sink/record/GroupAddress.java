package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.annotation.Nullable;

/**
 * A file group in the form in which records and state name it; made once per file group and shared.
 * Immutable.
 */
public final class GroupAddress {
  private final FileGroupId id;
  private final byte[] partition;
  private final long number;

  /** Null if the file id is no UUID with a number. */
  @Nullable private final UuidFileId uuid;

  public GroupAddress(FileGroupId id) {
    this.id = requireNonNull(id, "id");
    this.partition = id.partitionPath().getBytes(StandardCharsets.UTF_8);
    this.uuid = UuidFileId.parse(id.fileId().value());
    this.number = hash(id.partitionPath() + '\0' + id.fileId().value());
  }

  public FileGroupId id() {
    return id;
  }

  /** Stands for the file group in state: equal groups have equal numbers in all tasks. */
  public long number() {
    return number;
  }

  /** Whether the record names the partition of this file group. */
  public boolean isInPartitionOf(HudiRecord record) {
    int from = record.partitionOffset();
    return Arrays.equals(
        partition, 0, partition.length, record.bytes(), from, from + record.partitionLength());
  }

  @Nullable
  UuidFileId uuid() {
    return uuid;
  }

  /** 64 bits in which two groups of one table do not meet by accident. */
  private static long hash(String text) {
    long hash = 0xCBF29CE484222325L;
    for (byte part : text.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ part) * 0x100000001B3L;
    }
    hash = (hash ^ (hash >>> 32)) * 0x9E3779B97F4A7C15L;
    return hash ^ (hash >>> 29);
  }

  @Override
  public boolean equals(Object o) {
    return o instanceof GroupAddress other && id.equals(other.id);
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public String toString() {
    return id.toString();
  }
}
