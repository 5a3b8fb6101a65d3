package io.hudilite.source.split;

import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;

/**
 * A reader has emitted all rows of these splits.
 *
 * @param watermarkMillis the watermark that all rows it emitted so far make; {@link Long#MIN_VALUE}
 *     if none
 */
public record SplitsFinished(Set<String> splitIds, long watermarkMillis) implements SourceEvent {
  private static final long serialVersionUID = 2L;

  public SplitsFinished {
    splitIds = Set.copyOf(splitIds);
  }

  public SplitsFinished(Set<String> splitIds) {
    this(splitIds, Long.MIN_VALUE);
  }
}
