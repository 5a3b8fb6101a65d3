package io.hudilite.sink;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystemFactory;
import org.apache.flink.core.fs.Path;
import org.apache.flink.core.fs.local.LocalFileSystem;

/** The local file system under another scheme, with one fault that a test sets. */
public final class FaultyFileSystem extends LocalFileSystem {
  public static final String SCHEME = "faulty";

  /** Name of the file that begins an instant. */
  static final Pattern REQUESTED = Pattern.compile(".*/timeline/\\d{17}\\.deltacommit\\.requested");

  /** Name of the file that makes an instant visible. */
  static final Pattern COMPLETED = Pattern.compile(".*/timeline/\\d{17}_\\d{17}\\.deltacommit");

  /** What happens around the making of a file. */
  public interface Fault {
    /** The files that count. */
    default Pattern files() {
      return COMPLETED;
    }

    /** Before the n-th file that fits, counted from 1. */
    default void before(int n) throws Exception {}

    /** Behind it. */
    default void after(int n) throws Exception {}
  }

  private static volatile Fault fault = new Fault() {};
  private static final AtomicInteger COUNT = new AtomicInteger();

  /** Sets what happens to completed instants from now on. */
  public static void set(Fault next) {
    COUNT.set(0);
    fault = next;
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public FSDataOutputStream create(Path path, WriteMode mode) throws IOException {
    if (!fault.files().matcher(path.getPath()).matches()) {
      return super.create(path, mode);
    }
    int n = COUNT.incrementAndGet();
    around(() -> fault.before(n));
    FSDataOutputStream out = super.create(path, mode);
    return new FSDataOutputStream() {
      @Override
      public long getPos() throws IOException {
        return out.getPos();
      }

      @Override
      public void write(int b) throws IOException {
        out.write(b);
      }

      @Override
      public void write(byte[] b, int off, int len) throws IOException {
        out.write(b, off, len);
      }

      @Override
      public void flush() throws IOException {
        out.flush();
      }

      @Override
      public void sync() throws IOException {
        out.sync();
      }

      @Override
      public void close() throws IOException {
        out.close();
        around(() -> fault.after(n));
      }
    };
  }

  @Override
  public boolean rename(Path from, Path to) throws IOException {
    if (!fault.files().matcher(to.getPath()).matches()) {
      return super.rename(from, to);
    }
    int n = COUNT.incrementAndGet();
    around(() -> fault.before(n));
    boolean done = super.rename(from, to);
    around(() -> fault.after(n));
    return done;
  }

  private interface Action {
    void run() throws Exception;
  }

  private static void around(Action action) throws IOException {
    try {
      action.run();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Found by Flink through the service file beside this class. */
  public static final class Factory implements FileSystemFactory {
    @Override
    public String getScheme() {
      return SCHEME;
    }

    @Override
    public FileSystem create(URI uri) {
      return new FaultyFileSystem();
    }
  }
}
