package io.hudilite.core.merge;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;

/**
 * What a reader may use to hold the log records of a file slice. A table of the keys always stays
 * on the heap (some 50 bytes for each, and the key if its record does not); the records themselves
 * go to a temporary local file beyond the bound.
 *
 * @param maxBytes heap bytes for the records of one file slice
 * @param spillFolder an existing local folder for the temporary files
 */
public record MergeMemory(long maxBytes, Path spillFolder) {
  /**
   * The temporary folder of the JVM and a sixteenth of its heap, as several readers share it, but
   * at least 64 MiB and at most 512.
   */
  public static final MergeMemory DEFAULT =
      new MergeMemory(
          Math.max(64L << 20, Math.min(512L << 20, Runtime.getRuntime().maxMemory() / 16)),
          Path.of(System.getProperty("java.io.tmpdir")));

  public MergeMemory {
    requireNonNull(spillFolder, "spillFolder");
    if (maxBytes < 0) {
      throw new IllegalArgumentException("Memory for merging is " + maxBytes + " bytes");
    }
  }
}
