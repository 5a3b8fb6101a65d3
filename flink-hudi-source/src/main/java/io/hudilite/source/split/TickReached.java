package io.hudilite.source.split;

import org.apache.flink.api.connector.source.SourceEvent;

/** To readers of a staged read: none of them will send a row of an earlier tick any more. */
public record TickReached(long tick) implements SourceEvent {
  private static final long serialVersionUID = 1L;
}
