package io.hudilite.core.scan;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.ByteRange;
import io.hudilite.core.file.BaseFile;
import io.hudilite.core.file.FileGroupId;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.merge.ChangePhase;
import io.hudilite.core.merge.LogBlockFilter;
import io.hudilite.core.timeline.InstantTime;
import java.util.Set;
import javax.annotation.Nullable;

/**
 * Files of one file group that are read and merged together. Complete in itself: a reader needs no
 * timeline. The rows of a split come in the same order each time it is read, so that a reader may
 * go on after the first n of them. {@link ScanSplitSerializer} gives the bytes.
 */
public sealed interface ScanSplit {

  /** The files to be merged. */
  FileSlice slice();

  /** Which blocks of the log files count. */
  LogBlockFilter blocks();

  default FileGroupId groupId() {
    return slice().groupId();
  }

  /** Bytes of all files, to spread work evenly. */
  default long totalBytes() {
    return slice().totalBytes();
  }

  /** Whether rows may be deletes, so that their kinds are not all INSERT. */
  default boolean hasChanges() {
    return !(this instanceof Snapshot);
  }

  /**
   * The rows of a file slice that exist.
   *
   * @param part of the base file: the rows of the row groups whose middle lies in it; all of it if
   *     the slice has log files
   */
  record Snapshot(FileSlice slice, LogBlockFilter blocks, ByteRange part) implements ScanSplit {
    public Snapshot {
      requireNonNull(slice, "slice");
      requireNonNull(blocks, "blocks");
      requireNonNull(part, "part");
      if (!part.equals(ByteRange.ALL) && !slice.logFiles().isEmpty()) {
        throw new IllegalArgumentException("A part of a slice with log files: " + slice);
      }
    }

    /** The whole slice. */
    public Snapshot(FileSlice slice, LogBlockFilter blocks) {
      this(slice, blocks, ByteRange.ALL);
    }

    @Override
    public long totalBytes() {
      return Math.max(0, Math.min(part.end(), slice.totalBytes()) - part.start());
    }
  }

  /** The rows of a file slice that is gone, as DELETE: an overwrite replaced its file group. */
  record Removed(FileSlice slice, LogBlockFilter blocks) implements ScanSplit {
    public Removed {
      requireNonNull(slice, "slice");
      requireNonNull(blocks, "blocks");
    }
  }

  /**
   * What some instants changed in a file group: each changed key once, with its newest version, as
   * INSERT, UPDATE_AFTER or DELETE. Of a DELETE only the key, partition and ordering columns are
   * filled.
   *
   * @param slice the files that the instants wrote; also older ones, if it takes them to see which
   *     version wins
   * @param instants requested times
   * @param replacedBase a base file that a base file in {@code slice} replaced: keys that only it
   *     has were deleted; null if no key was deleted so
   */
  record Changes(
      FileSlice slice,
      LogBlockFilter blocks,
      Set<InstantTime> instants,
      ChangePhase phase,
      @Nullable BaseFile replacedBase)
      implements ScanSplit {
    public Changes {
      requireNonNull(slice, "slice");
      requireNonNull(blocks, "blocks");
      instants = Set.copyOf(instants);
      requireNonNull(phase, "phase");
    }

    /** The same files, of which only these changes are read. */
    public Changes inPhase(ChangePhase other) {
      return new Changes(slice, blocks, instants, other, replacedBase);
    }
  }
}
