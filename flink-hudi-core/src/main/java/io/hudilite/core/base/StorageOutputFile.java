package io.hudilite.core.base;

import io.hudilite.core.storage.Storage;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.Nullable;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A new file of a storage, as Parquet writes to it. Closing it gives up a file without an end. */
final class StorageOutputFile implements OutputFile, Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final Storage storage;
  private final String path;
  @Nullable private CountingStream stream;

  StorageOutputFile(Storage storage, String path) {
    this.storage = storage;
    this.path = path;
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) throws IOException {
    stream = new CountingStream(new BufferedOutputStream(storage.create(path), BUFFER_BYTES));
    return stream;
  }

  /** Bytes written. */
  long position() {
    return stream == null ? 0 : stream.getPos();
  }

  /** Closes the stream; does nothing if Parquet did so already. */
  @Override
  public void close() throws IOException {
    if (stream != null) {
      stream.close();
    }
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSizeHint) {
    throw new UnsupportedOperationException("Files of a table are never overwritten");
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }

  @Override
  public String getPath() {
    return path;
  }

  private static final class CountingStream extends PositionOutputStream {
    private final OutputStream out;
    private long position;
    private boolean closed;

    CountingStream(OutputStream out) {
      this.out = out;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int b) throws IOException {
      out.write(b);
      position++;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      position += length;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        out.close();
      }
    }
  }
}
