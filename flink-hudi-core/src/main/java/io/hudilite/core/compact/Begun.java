package io.hudilite.core.compact;

import static java.util.Objects.requireNonNull;

/**
 * What came of the wish to execute a plan.
 *
 * @param <E> kind of the execution
 */
public sealed interface Begun<E extends ServiceExecution> {

  /** It is ours. */
  record Started<E extends ServiceExecution>(E execution) implements Begun<E> {
    public Started {
      requireNonNull(execution, "execution");
    }
  }

  /** Somebody else is at it, or has done it. */
  record NotOurs<E extends ServiceExecution>(String reason) implements Begun<E> {
    public NotOurs {
      requireNonNull(reason, "reason");
    }
  }

  /**
   * The plan could not be executed without losing rows, or not at all; it is gone, and its files
   * get into the next one.
   */
  record Dropped<E extends ServiceExecution>(String reason) implements Begun<E> {
    public Dropped {
      requireNonNull(reason, "reason");
    }
  }
}
