package io.hudilite.core.base;

import io.hudilite.core.storage.Storage;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import javax.annotation.Nullable;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/** A new file as Parquet writes to it. Closing it gives up a file without an end. */
final class NewOutputFile implements OutputFile, Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final String path;
  private final Opener opener;
  @Nullable private CountingStream stream;

  /** Opens the stream when the first byte is to be written. */
  @FunctionalInterface
  private interface Opener {
    OutputStream open() throws IOException;
  }

  private NewOutputFile(String path, Opener opener) {
    this.path = path;
    this.opener = opener;
  }

  /** A file of a storage. */
  static NewOutputFile in(Storage storage, String path) {
    return new NewOutputFile(
        path, () -> new BufferedOutputStream(storage.create(path), BUFFER_BYTES));
  }

  /**
   * A file whose bytes go to a stream.
   *
   * @param path for messages
   */
  static NewOutputFile to(OutputStream stream, String path) {
    return new NewOutputFile(path, () -> stream);
  }

  @Override
  public PositionOutputStream create(long blockSizeHint) throws IOException {
    stream = new CountingStream(opener.open());
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
