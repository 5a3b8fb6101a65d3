package io.hudilite.source.read;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.ForwardingStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import java.io.IOException;
import org.apache.flink.metrics.Counter;

/** Counts the bytes that are read. All reads must come from one thread, as the counter wants. */
final class MeteredStorage extends ForwardingStorage {
  private final Counter bytesRead;

  MeteredStorage(Storage storage, Counter bytesRead) {
    super(storage);
    this.bytesRead = requireNonNull(bytesRead, "bytesRead");
  }

  @Override
  public StorageInput open(String path) throws IOException {
    StorageInput input = super.open(path);
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
    byte[] content = super.read(path);
    bytesRead.inc(content.length);
    return content;
  }
}
