package io.hudilite.core.config;

/**
 * Something that the user can mend: the message says what is wrong, why, and the way out, with the
 * values in it. Retrying without a change does not help.
 */
public class HudiTableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public HudiTableException(String message) {
    super(message);
  }

  public HudiTableException(String message, Throwable cause) {
    super(message, cause);
  }
}
