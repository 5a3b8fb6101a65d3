package io.hudilite.source.read;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.apache.flink.metrics.Counter;

/** Counts the bytes that are read. All reads must come from one thread, as the counter wants. */
final class MeteredStorage implements Storage {
  private final Storage storage;
  private final Counter bytesRead;

  MeteredStorage(Storage storage, Counter bytesRead) {
    this.storage = requireNonNull(storage, "storage");
    this.bytesRead = requireNonNull(bytesRead, "bytesRead");
  }

  @Override
  public StorageInput open(String path) throws IOException {
    StorageInput input = storage.open(path);
    return new StorageInput() {
      @Override
      public long length() throws IOException {
        return input.length();
      }

      @Override
      public void readFully(long position, byte[] buffer, int offset, int length)
          throws IOException {
        input.readFully(position, buffer, offset, length);
        bytesRead.inc(length);
      }

      @Override
      public void close() throws IOException {
        input.close();
      }
    };
  }

  @Override
  public byte[] read(String path) throws IOException {
    byte[] content = storage.read(path);
    bytesRead.inc(content.length);
    return content;
  }

  @Override
  public String location() {
    return storage.location();
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    storage.createNew(path, content);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return storage.create(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return storage.exists(path);
  }

  @Override
  public List<StoredFile> list(String folder) throws IOException {
    return storage.list(folder);
  }

  @Override
  public boolean delete(String path) throws IOException {
    return storage.delete(path);
  }

  @Override
  public boolean deleteFolder(String folder) throws IOException {
    return storage.deleteFolder(folder);
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    storage.makeFolder(folder);
  }
}
