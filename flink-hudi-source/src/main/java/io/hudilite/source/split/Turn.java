package io.hudilite.source.split;

import java.io.Serializable;
import org.apache.flink.types.RowKind;

/**
 * When the rows of a split come in a staged read. Inside such a read the timestamps of Flink's
 * stream elements are no event times but this; {@code KeyOrder} looks at them and takes them off.
 *
 * @param tick of the split's stage, see {@link Ticks}; {@link Ticks#NONE} before it is handed out
 * @param mayRace whether another split of the same stage may hold a delete or a version of a key
 *     that is in this split, so that one may overtake the other
 */
public record Turn(long tick, boolean mayRace) implements Serializable {
  private static final long serialVersionUID = 1L;

  public Turn {
    if (tick < 0) {
      throw new IllegalArgumentException("Ticks count from 0, got " + tick);
    }
  }

  /** The timestamp of a row: rises with the tick, its lowest bit tells whether the row may race. */
  public long timestamp(RowKind kind) {
    return timestamp(tick + (kind == RowKind.DELETE ? 0 : 1), mayRace);
  }

  static long timestamp(long tick, boolean mayRace) {
    return tick << 1 | (mayRace ? 1 : 0);
  }

  public static boolean mayRace(long timestamp) {
    return (timestamp & 1) != 0;
  }

  public static long tick(long timestamp) {
    return timestamp >> 1;
  }

  /** The tick of the stage, for both deletes and other rows. */
  public static long stageTick(long timestamp) {
    return tick(timestamp) & ~1L;
  }

  /** The watermark that says that no row of an earlier tick will come. */
  public static long watermarkBefore(long tick) {
    return timestamp(tick, false) - 1;
  }

  /** The first tick of which rows may come behind a watermark. */
  public static long tickAfter(long watermark) {
    return (watermark + 1) >> 1;
  }
}
