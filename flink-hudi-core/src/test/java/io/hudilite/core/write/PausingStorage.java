package io.hudilite.core.write;

import io.hudilite.core.storage.ForwardingStorage;
import io.hudilite.core.storage.Storage;
import java.io.IOException;

/** Lets the world go on for a while before the first decision about an instant. */
final class PausingStorage extends ForwardingStorage {
  interface Interlude {
    void play() throws IOException;
  }

  private final Interlude interlude;
  private boolean played;

  PausingStorage(Storage delegate, Interlude interlude) {
    super(delegate);
    this.interlude = interlude;
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    if (!played && path.contains("/fate/")) {
      played = true;
      interlude.play();
    }
    super.createNew(path, content);
  }
}
