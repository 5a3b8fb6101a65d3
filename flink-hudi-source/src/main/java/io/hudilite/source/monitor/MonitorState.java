package io.hudilite.source.monitor;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.source.split.HudiSplit;
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
 */
public record MonitorState(
    @Nullable InstantTime position, long nextRange, List<HudiSplit> pending) {

  /** A read that has not begun. */
  public static final MonitorState INITIAL = new MonitorState(null, 0, List.of());

  public MonitorState {
    pending = List.copyOf(pending);
  }
}
