package io.hudilite.core.lease;

import java.io.IOException;

/** A later start of a writer has taken the table over; this one must not touch it any more. */
public final class WriterFencedException extends IOException {
  private static final long serialVersionUID = 1L;

  WriterFencedException(String message) {
    super(message);
  }
}
