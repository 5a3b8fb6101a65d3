package io.hudilite.source.split;

import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The first message of each start of a reader: the splits that it got from its own state. Only
 * readers know this for sure: the word that a split is finished may be lost between the snapshots
 * of enumerator and reader.
 *
 * @param restored stage by split id; empty after a start without state
 */
public record ReaderStarted(Map<String, Stage> restored) implements SourceEvent {
  private static final long serialVersionUID = 1L;

  public ReaderStarted {
    restored = Map.copyOf(restored);
  }
}
