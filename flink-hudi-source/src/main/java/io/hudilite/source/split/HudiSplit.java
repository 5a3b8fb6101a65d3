package io.hudilite.source.split;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.connector.source.SourceSplit;

/** The scan of one file group, its place in the order of the read, and how much of it is done. */
public record HudiSplit(String splitId) implements SourceSplit {
  public HudiSplit {
    requireNonNull(splitId, "splitId");
  }
}
