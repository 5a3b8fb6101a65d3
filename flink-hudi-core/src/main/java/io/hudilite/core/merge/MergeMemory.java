package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * What a reader may use to hold the log records of a file slice. The keys always stay on the heap
 * (some 50 bytes and the key each); the records themselves go to a temporary local file beyond the
 * bound.
 *
 * @param maxBytes heap bytes for the records of one file slice
 * @param spillFolder an existing local folder for the temporary files
 */
public record MergeMemory(long maxBytes, Path spillFolder) {
  /** 64 MiB and the temporary folder of the JVM. */
  public static final MergeMemory DEFAULT =
      new MergeMemory(64L << 20, Path.of(System.getProperty("java.io.tmpdir")));

  public MergeMemory {
    requireNonNull(spillFolder, "spillFolder");
    if (maxBytes < 0) {
      throw new IllegalArgumentException("Memory for merging is " + maxBytes + " bytes");
    }
  }
}
