package io.hudilite.sink.commit;

/** When instants become visible. */
public enum CommitTiming {
  /** With the checkpoint that covers their rows. */
  PER_CHECKPOINT,
  /** Once, when all writers have seen the end of their input: batch, or no checkpoints. */
  AT_END
}
