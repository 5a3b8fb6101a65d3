package io.hudilite.source.split;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Map;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * The first message of each start of a reader: the splits that it got from its own state. Only
 * readers know this for sure: the word that a split is finished may be lost between the snapshots
 * of enumerator and reader.
 *
 * @param restored by split id; empty after a start without state
 */
public record ReaderStarted(Map<String, Held> restored) implements SourceEvent {
  private static final long serialVersionUID = 2L;

  public ReaderStarted {
    restored = Map.copyOf(restored);
  }

  /** What matters of a split that a reader holds. */
  public record Held(Stage stage, long tick) implements Serializable {
    private static final long serialVersionUID = 1L;

    public Held {
      requireNonNull(stage, "stage");
    }

    public static Held of(HudiSplit split) {
      return new Held(split.stage(), split.turn().tick());
    }
  }
}
