package io.hudilite.core.compact;

import io.hudilite.core.config.HudiTableException;
import java.util.Arrays;
import java.util.Locale;

/** When it is time for a compaction, by the words of {@code compaction.trigger.strategy}. */
public enum TriggerStrategy {
  /** So many delta commits since the last compaction that was completed. */
  NUM_COMMITS,
  /** So many delta commits since the last compaction that was planned, completed or not. */
  NUM_COMMITS_AFTER_LAST_REQUEST,
  /** So much time since the last compaction that was completed. */
  TIME_ELAPSED,
  /** Both the commits and the time. */
  NUM_AND_TIME,
  /** The commits or the time. */
  NUM_OR_TIME;

  /**
   * The strategy of a word in the options.
   *
   * @throws HudiTableException if there is no such word; letter case does not matter
   */
  public static TriggerStrategy of(String word) {
    try {
      return valueOf(word.trim().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw new HudiTableException(
          "'compaction.trigger.strategy' is '%s'; set it to one of %s"
              .formatted(word, Arrays.toString(values()).toLowerCase(Locale.ROOT)),
          e);
    }
  }
}
