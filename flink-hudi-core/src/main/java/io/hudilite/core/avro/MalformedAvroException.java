package io.hudilite.core.avro;

import java.io.IOException;

/** Bytes that are not what their Avro schema says: they end early, or hold an impossible value. */
public final class MalformedAvroException extends IOException {
  private static final long serialVersionUID = 1L;

  public MalformedAvroException(String message) {
    super(message);
  }
}
