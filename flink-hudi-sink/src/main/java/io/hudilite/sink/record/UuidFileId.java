package io.hudilite.sink.record;

import java.util.UUID;
import javax.annotation.Nullable;

/** A file id of the usual form {@code <UUID>-<number>}, in 20 bytes. */
record UuidFileId(long high, long low, int number) {
  private static final int UUID_LENGTH = 36;

  /** Null if the text has another form, so that it would not come back as it was. */
  @Nullable
  static UuidFileId parse(String text) {
    if (text.length() < UUID_LENGTH + 2
        || text.length() > UUID_LENGTH + 10
        || text.charAt(UUID_LENGTH) != '-') {
      return null;
    }
    try {
      UUID uuid = UUID.fromString(text.substring(0, UUID_LENGTH));
      int number = Integer.parseUnsignedInt(text.substring(UUID_LENGTH + 1));
      return text.equals(uuid + "-" + number)
          ? new UuidFileId(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits(), number)
          : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
