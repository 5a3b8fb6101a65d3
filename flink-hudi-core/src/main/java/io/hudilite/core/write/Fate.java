package io.hudilite.core.write;

import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CorruptInstantException;
import io.hudilite.core.timeline.InstantTime;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * What is to become of an instant, with all that is needed to carry it out again and again to the
 * same end.
 *
 * <pre>
 * commit COMPLETION_TIME ACTION \n metadata
 * rollback ROLLBACK_TIME COMPLETION_TIME_OF_THE_ROLLBACK ACTION \n
 * </pre>
 */
sealed interface Fate {

  /** The action of the instant that this is the fate of. */
  Action action();

  byte[] encode();

  /** The instant completes at this time with this content. The array is not to be changed. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Commit(InstantTime completionTime, Action action, byte[] metadata) implements Fate {
    @Override
    public byte[] encode() {
      byte[] head =
          "commit %s %s\n".formatted(completionTime, action).getBytes(StandardCharsets.UTF_8);
      byte[] whole = Arrays.copyOf(head, head.length + metadata.length);
      System.arraycopy(metadata, 0, whole, head.length, metadata.length);
      return whole;
    }

    @Override
    public boolean equals(Object o) {
      return o instanceof Commit other && Arrays.equals(encode(), other.encode());
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(encode());
    }
  }

  /** The instant and its files are removed by a rollback of these times. */
  record Rollback(InstantTime rollbackTime, InstantTime rollbackCompletionTime, Action action)
      implements Fate {
    @Override
    public byte[] encode() {
      return "rollback %s %s %s\n"
          .formatted(rollbackTime, rollbackCompletionTime, action)
          .getBytes(StandardCharsets.UTF_8);
    }
  }

  /**
   * Reads what has been decided.
   *
   * @param source name of the file, for messages
   */
  static Fate decode(byte[] content, String source) throws CorruptInstantException {
    int end = 0;
    while (end < content.length && content[end] != '\n') {
      end++;
    }
    String[] words = new String(content, 0, end, StandardCharsets.UTF_8).split(" ", -1);
    try {
      if (end < content.length && words.length == 3 && words[0].equals("commit")) {
        return new Commit(
            new InstantTime(words[1]),
            Action.valueOf(words[2]),
            Arrays.copyOfRange(content, end + 1, content.length));
      }
      if (end < content.length && words.length == 4 && words[0].equals("rollback")) {
        return new Rollback(
            new InstantTime(words[1]), new InstantTime(words[2]), Action.valueOf(words[3]));
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptInstantException(source + ": " + e.getMessage(), e);
    }
    throw new CorruptInstantException(
        "%s: %d bytes are no decision about an instant; its first line is '%s'"
            .formatted(source, content.length, String.join(" ", words)));
  }
}
