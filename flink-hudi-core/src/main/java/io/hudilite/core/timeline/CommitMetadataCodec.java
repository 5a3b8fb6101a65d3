package io.hudilite.core.timeline;

import java.io.IOException;

/** Content of completed commit, deltacommit and replacecommit files. */
public final class CommitMetadataCodec {
  private CommitMetadataCodec() {}

  /** As an Avro container file; a replace commit if {@code action} is one. */
  public static byte[] encode(CommitMetadata metadata, Action action) {
    throw new UnsupportedOperationException();
  }

  /**
   * Reads Avro, or the JSON of table version 6; both are known by their first bytes.
   *
   * @param source name of the file, for messages
   * @throws CorruptInstantException if the content is neither
   */
  public static CommitMetadata decode(byte[] content, String source) throws IOException {
    throw new UnsupportedOperationException();
  }
}
