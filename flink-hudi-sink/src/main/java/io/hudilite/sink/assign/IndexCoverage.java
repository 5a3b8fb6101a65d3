package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which instants of the table the index knows the keys of: all that were completed when it was last
 * filled from the table, and those that its own job start, and the starts before it, wrote up to
 * the checkpoint of the state. Immutable.
 *
 * @param filledUpTo greatest completion time that was read from the table; {@link
 *     InstantTime#BEGINNING} if none was
 * @param checkpoints newest checkpoint that is in the state, by run, oldest run first
 */
record IndexCoverage(InstantTime filledUpTo, Map<String, Long> checkpoints) {
  private static final String SEPARATOR = "\0";

  /** Job starts that are remembered; an older one's instants are read again if need be. */
  private static final int REMEMBERED_RUNS = 16;

  /** Of an empty index. */
  static final IndexCoverage NOTHING = new IndexCoverage(InstantTime.BEGINNING, Map.of());

  IndexCoverage {
    requireNonNull(filledUpTo, "filledUpTo");
    checkpoints = new LinkedHashMap<>(checkpoints);
  }

  /**
   * Whether the keys of an instant are in the index.
   *
   * @param run id of the job start that wrote it, if it was one of ours
   * @param checkpoint that it belongs to
   */
  boolean contains(InstantTime completionTime, Optional<String> run, OptionalLong checkpoint) {
    if (!completionTime.isAfter(filledUpTo)) {
      return true;
    }
    return run.isPresent()
        && checkpoint.isPresent()
        && checkpoint.getAsLong() <= checkpoints.getOrDefault(run.get(), -1L);
  }

  /** After the table was read up to a time. */
  IndexCoverage filledUpTo(InstantTime time) {
    return new IndexCoverage(time.isAfter(filledUpTo) ? time : filledUpTo, checkpoints);
  }

  /** As of a checkpoint of a run. */
  IndexCoverage atCheckpoint(String run, long checkpoint) {
    Map<String, Long> all = new LinkedHashMap<>(checkpoints);
    all.remove(run);
    all.put(run, checkpoint);
    while (all.size() > REMEMBERED_RUNS) {
      all.remove(all.keySet().iterator().next());
    }
    return new IndexCoverage(filledUpTo, all);
  }

  /** What all of several tasks know, whose keys are now spread anew. */
  static IndexCoverage common(Collection<IndexCoverage> parts) {
    if (parts.isEmpty()) {
      return NOTHING;
    }
    InstantTime least = null;
    Map<String, Long> common = null;
    for (IndexCoverage part : parts) {
      least = least == null || part.filledUpTo.isBefore(least) ? part.filledUpTo : least;
      if (common == null) {
        common = new LinkedHashMap<>(part.checkpoints);
      } else {
        Map<String, Long> other = new HashMap<>(part.checkpoints);
        common.keySet().retainAll(other.keySet());
        common.replaceAll((run, checkpoint) -> Math.min(checkpoint, other.get(run)));
      }
    }
    return new IndexCoverage(least, common);
  }

  /** Form in state: time, then run and checkpoint in turns. */
  String toText() {
    StringBuilder text = new StringBuilder(filledUpTo.digits());
    checkpoints.forEach(
        (run, checkpoint) ->
            text.append(SEPARATOR).append(run).append(SEPARATOR).append(checkpoint));
    return text.toString();
  }

  static IndexCoverage parse(String text) {
    String[] parts = text.split(SEPARATOR, -1);
    Map<String, Long> checkpoints = new LinkedHashMap<>();
    for (int i = 1; i + 1 < parts.length; i += 2) {
      checkpoints.put(parts[i], Long.parseLong(parts[i + 1]));
    }
    return new IndexCoverage(new InstantTime(parts[0]), checkpoints);
  }
}
