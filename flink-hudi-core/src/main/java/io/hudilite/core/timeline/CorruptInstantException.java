package io.hudilite.core.timeline;

import java.io.IOException;

/** The bytes of an instant file are not what its name says. */
public final class CorruptInstantException extends IOException {
  private static final long serialVersionUID = 1L;

  public CorruptInstantException(String message, Throwable cause) {
    super(message, cause);
  }

  public CorruptInstantException(String message) {
    super(message);
  }
}
