package io.hudilite.source.split;

/**
 * The hidden clock of a staged read. A tick says in which stage of the read a row comes, and up to
 * which event time all rows of the stages before had come; it rises from stage to stage.
 *
 * <pre>
 * tick   bits 61..20 event time in ms since 1970, bits 19..0 count of stages at that event time
 * </pre>
 *
 * Each stage has two ticks, an even one for its deletes and the next one for its other rows: a key
 * that moved in the stage is deleted in one file group and written in another one.
 */
public final class Ticks {
  /** Before the first stage. */
  public static final long NONE = 0;

  private static final int COUNT_BITS = 20;

  /** In the year 2109; later event times count as this one, and leave room for stages after it. */
  private static final long MAX_MILLIS = (1L << 42) - (1L << 30);

  private Ticks() {}

  /**
   * The tick of the next stage.
   *
   * @param last tick of the newest stage so far
   * @param watermarkMillis no row with this event time or an older one is expected from now on;
   *     {@link Long#MIN_VALUE} if nothing is known
   */
  public static long next(long last, long watermarkMillis) {
    long millis = Math.max(0, Math.min(watermarkMillis, MAX_MILLIS));
    return Math.max(last + 2, millis << COUNT_BITS);
  }

  /** The event time that had passed when the stage of a tick began; 0 if nothing was known. */
  public static long watermarkMillis(long tick) {
    return tick >> COUNT_BITS;
  }
}
