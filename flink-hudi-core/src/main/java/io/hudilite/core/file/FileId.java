package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.UUID;

/**
 * Name of a file group inside its partition: {@code <36-character UUID>-<n>}. Holds no {@code _}
 * and no {@code .}, since file names are split at them. Source: Hudi 1.0.2 FSUtils.
 */
public record FileId(String value) implements Comparable<FileId>, Serializable {
  public FileId {
    requireNonNull(value, "value");
    if (value.isEmpty() || value.indexOf('_') >= 0 || value.indexOf('.') >= 0) {
      throw new IllegalArgumentException(
          "'" + value + "' is no file id: it must not be empty nor contain '_' or '.'");
    }
  }

  /** The first file group of a new prefix. */
  public static FileId of(UUID prefix) {
    return new FileId(prefix + "-0");
  }

  @Override
  public int compareTo(FileId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
