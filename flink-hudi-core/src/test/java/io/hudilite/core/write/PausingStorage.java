package io.hudilite.core.write;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Lets the world go on for a while before the first decision about an instant. */
final class PausingStorage implements Storage {
  interface Interlude {
    void play() throws IOException;
  }

  private final Storage delegate;
  private final Interlude interlude;
  private boolean played;

  PausingStorage(Storage delegate, Interlude interlude) {
    this.delegate = delegate;
    this.interlude = interlude;
  }

  @Override
  public String location() {
    return delegate.location();
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    if (!played && path.contains("/fate/")) {
      played = true;
      interlude.play();
    }
    delegate.createNew(path, content);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return delegate.create(path);
  }

  @Override
  public StorageInput open(String path) throws IOException {
    return delegate.open(path);
  }

  @Override
  public byte[] read(String path) throws IOException {
    return delegate.read(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return delegate.exists(path);
  }

  @Override
  public List<StoredFile> list(String folder) throws IOException {
    return delegate.list(folder);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return delegate.delete(path);
  }

  @Override
  public boolean deleteFolder(String folder) throws IOException {
    return delegate.deleteFolder(folder);
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    delegate.makeFolder(folder);
  }
}
