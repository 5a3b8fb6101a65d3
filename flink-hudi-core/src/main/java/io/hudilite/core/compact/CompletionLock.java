package io.hudilite.core.compact;

import io.hudilite.core.write.CommitOutcome;
import java.util.function.Supplier;

/**
 * Lets one commit of a process be completed after the other: a reader that has seen the later of
 * two completion times does not look for the earlier one any more.
 */
@FunctionalInterface
public interface CompletionLock {
  /** For a process that commits nothing else. */
  CompletionLock NONE = Supplier::get;

  CommitOutcome completing(Supplier<CommitOutcome> commit);
}
