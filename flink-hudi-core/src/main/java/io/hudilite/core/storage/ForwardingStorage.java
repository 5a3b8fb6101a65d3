package io.hudilite.core.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Hands every call on to another storage; for those that count, delay or change some of them. */
public abstract class ForwardingStorage implements Storage {
  private final Storage delegate;

  protected ForwardingStorage(Storage delegate) {
    this.delegate = requireNonNull(delegate, "delegate");
  }

  @Override
  public String location() {
    return delegate.location();
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    delegate.createNew(path, content);
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    delegate.overwrite(path, content);
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

  @Override
  public void renameFolder(String from, String to) throws IOException {
    delegate.renameFolder(from, to);
  }
}
