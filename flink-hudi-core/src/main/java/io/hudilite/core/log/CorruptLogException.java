package io.hudilite.core.log;

import java.io.IOException;

/** A log file holds bytes that cannot be: the message names file, position and value. */
public final class CorruptLogException extends IOException {
  private static final long serialVersionUID = 1L;

  public CorruptLogException(String message) {
    super(message);
  }

  public CorruptLogException(String message, Throwable cause) {
    super(message, cause);
  }
}
