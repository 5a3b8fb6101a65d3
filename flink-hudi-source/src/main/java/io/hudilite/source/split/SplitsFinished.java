package io.hudilite.source.split;

import java.util.Set;
import org.apache.flink.api.connector.source.SourceEvent;

/** A reader has emitted all rows of these splits. */
public record SplitsFinished(Set<String> splitIds) implements SourceEvent {
  private static final long serialVersionUID = 1L;

  public SplitsFinished {
    splitIds = Set.copyOf(splitIds);
  }
}
