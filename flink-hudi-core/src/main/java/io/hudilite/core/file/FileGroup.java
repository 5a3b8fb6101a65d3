package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The slices of one file group, newest first.
 *
 * @param slices in any order when given; ordered by descending base instant
 */
public record FileGroup(FileGroupId id, List<FileSlice> slices) {
  public FileGroup {
    requireNonNull(id, "id");
    slices =
        slices.stream().sorted(Comparator.comparing(FileSlice::baseInstant).reversed()).toList();
  }

  /** Empty if the group has no slice. */
  public Optional<FileSlice> latestSlice() {
    return slices.stream().findFirst();
  }

  /** The newest slice whose base instant is not after {@code time}. */
  public Optional<FileSlice> latestSliceAt(InstantTime time) {
    return slices.stream().filter(slice -> !slice.baseInstant().isAfter(time)).findFirst();
  }
}
