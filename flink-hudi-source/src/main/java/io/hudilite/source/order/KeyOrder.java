package io.hudilite.source.order;

import io.hudilite.source.split.Turn;
import javax.annotation.Nullable;

/**
 * The rule by which a row that was overtaken is found. Pure.
 *
 * <p>Of a key the newest turn is remembered as long as rows of an older turn may be under way:
 * until the watermark says that all rows up to that turn have arrived. A row with an older turn
 * than the remembered one was overtaken. It is left out: the newer row of its key is out already,
 * and says all that counts. A row need not be remembered if everything of earlier stages has
 * arrived before it, and its stage holds its key only once.
 */
final class KeyOrder {
  private KeyOrder() {}

  /** Whether rows of an older turn may come behind this one. */
  static boolean mayOvertake(long timestamp, long watermark) {
    return Turn.mayRace(timestamp) || Turn.stageTick(timestamp) > Turn.tickAfter(watermark);
  }

  /**
   * @param newest timestamp that is remembered for the key, null if none
   * @param timestamp of the row that has arrived
   */
  static boolean isOvertaken(@Nullable Long newest, long timestamp) {
    return newest != null && Turn.tick(timestamp) < Turn.tick(newest);
  }

  /** Whether the row's timestamp is to be remembered now. */
  static boolean isRemembered(@Nullable Long newest, long timestamp, long watermark) {
    return mayOvertake(timestamp, watermark)
        && (newest == null || Turn.tick(timestamp) > Turn.tick(newest));
  }
}
