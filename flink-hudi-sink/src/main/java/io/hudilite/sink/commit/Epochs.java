package io.hudilite.sink.commit;

import java.util.TreeSet;

/**
 * The intervals between checkpoint barriers, each named by the checkpoint whose barrier began it.
 * The barrier of an aborted checkpoint parts nothing: some writers pass it and others never see it,
 * so the intervals before and behind it are one.
 */
final class Epochs {
  /** Before the first barrier. */
  static final long FIRST = -1;

  private final TreeSet<Long> barriers = new TreeSet<>();
  private final TreeSet<Long> aborted = new TreeSet<>();

  /** A writer has passed this barrier, or was restored from it. */
  void pass(long checkpoint) {
    if (!aborted.contains(checkpoint)) {
      barriers.add(checkpoint);
    }
  }

  void abort(long checkpoint) {
    barriers.remove(checkpoint);
    aborted.add(checkpoint);
  }

  /** All writers begin again behind this barrier: later ones parted nothing. */
  void abortAfter(long checkpoint) {
    aborted.addAll(barriers.tailSet(checkpoint, false));
    barriers.tailSet(checkpoint, false).clear();
  }

  /** Every writer has passed this barrier, so nobody asks for what was before. */
  void complete(long checkpoint) {
    barriers.add(checkpoint);
    barriers.headSet(checkpoint).clear();
    aborted.headSet(checkpoint).clear();
  }

  /** The barrier that began the interval in which a writer is that passed {@code epoch} last. */
  long of(long epoch) {
    Long barrier = barriers.floor(epoch);
    return barrier == null ? FIRST : barrier;
  }
}
