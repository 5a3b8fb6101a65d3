package io.hudilite.core.write;

/** What is known after an attempt to commit. */
public enum CommitOutcome {
  /** The instant is visible. */
  COMMITTED,
  /** The instant is not visible and never will be with these files, which may be deleted. */
  REFUSED,
  /** Sent without an answer: delete nothing and commit again, which is safe. */
  UNKNOWN
}
