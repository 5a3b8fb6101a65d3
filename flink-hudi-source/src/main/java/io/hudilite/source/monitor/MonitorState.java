package io.hudilite.source.monitor;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.Ticks;
import java.util.List;
import javax.annotation.Nullable;

/**
 * What the enumerator has to know after a restart: how far it planned, and what nobody has yet.
 * What readers have they know themselves.
 *
 * @param position completion time up to which, inclusive, everything is planned; null before the
 *     first look at the table
 * @param nextRange number of the range that is planned next
 * @param pending splits that no reader has
 * @param ticks how far the hidden clock is
 */
public record MonitorState(
    @Nullable InstantTime position, long nextRange, List<HudiSplit> pending, Clock ticks) {

  /** A read that has not begun. */
  public static final MonitorState INITIAL = new MonitorState(null, 0, List.of(), Clock.START);

  /**
   * See {@link Ticks}.
   *
   * @param lastTick of the newest stage that was handed out
   * @param watermarkMillis the watermark that the finished splits made; {@link Long#MIN_VALUE} if
   *     none
   */
  public record Clock(long lastTick, long watermarkMillis) {
    public static final Clock START = new Clock(Ticks.NONE, Long.MIN_VALUE);
  }

  public MonitorState {
    pending = List.copyOf(pending);
  }
}
