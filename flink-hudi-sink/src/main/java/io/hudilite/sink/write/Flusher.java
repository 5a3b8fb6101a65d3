package io.hudilite.sink.write;

import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * Turns buffered rows into files of one instant after the other. Markers are written before files,
 * so that nothing stays behind. Not safe for use by several threads.
 */
interface Flusher extends Closeable {

  /**
   * What follows belongs to this instant: another one, or, when a checkpoint was aborted, again the
   * same one.
   */
  void begin(InstantTime instant);

  /**
   * Takes the rows of some groups out of the memory; {@link #begin} must have been called.
   *
   * @return one stat for each file that is whole now
   */
  List<WriteStat> flush(List<GroupBuffer> groups) throws IOException;

  /**
   * Whether rows were taken that are in no file of the table yet, so that {@link #finish} has
   * something to do without more groups.
   */
  boolean hasUnfinished();

  /**
   * Writes the last groups of the instant, and what is unfinished.
   *
   * @return one stat for each file that was not told yet
   */
  List<WriteStat> finish(List<GroupBuffer> groups) throws IOException;

  /** A checkpoint barrier has passed: {@link #begin} comes before anything else is flushed. */
  void onBarrier();

  /** Gives up what is unfinished. */
  @Override
  void close() throws IOException;
}
