package io.hudilite.core.testkit;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A storage that fails by plan. Every call, and every write and close of a stream, is an operation;
 * the plan says which fails, and whether its effect took place. Counts open streams. The same seed
 * and the same calls give the same faults.
 */
public final class FaultyStorage implements Storage {

  /** When an operation fails. */
  public enum Fault {
    /** Nothing happened. */
    BEFORE_EFFECT,
    /** It happened, but the answer was lost. */
    AFTER_EFFECT
  }

  /** What happens after the first fault. */
  public enum Aftermath {
    /** Everything fails: the process is dead. */
    DEAD,
    /** Everything works: it was a hiccup. */
    WORKING
  }

  private final Storage delegate;
  private final Random random;
  private final List<String> operations = new ArrayList<>();
  private final AtomicInteger openStreams = new AtomicInteger();
  private long failAt = Long.MAX_VALUE;
  private Fault fault = Fault.BEFORE_EFFECT;
  private Aftermath aftermath = Aftermath.DEAD;
  private double failureRate;
  private boolean dead;

  private FaultyStorage(Storage delegate, long seed) {
    this.delegate = requireNonNull(delegate, "delegate");
    this.random = new Random(seed);
  }

  /** A storage without faults that counts operations and streams. */
  public static FaultyStorage counting(Storage delegate) {
    return new FaultyStorage(delegate, 0);
  }

  /**
   * Fails the n-th operation.
   *
   * @param n from 0
   */
  public static FaultyStorage failingAt(
      Storage delegate, long n, Fault fault, Aftermath aftermath) {
    FaultyStorage storage = new FaultyStorage(delegate, n);
    storage.failAt = n;
    storage.fault = fault;
    storage.aftermath = aftermath;
    return storage;
  }

  /** Fails each operation with a probability, half of them after their effect. */
  public static FaultyStorage failingRandomly(Storage delegate, long seed, double failureRate) {
    FaultyStorage storage = new FaultyStorage(delegate, seed);
    storage.failureRate = failureRate;
    storage.aftermath = Aftermath.WORKING;
    return storage;
  }

  /** How many operations there were. */
  public synchronized int operationCount() {
    return operations.size();
  }

  /** What was called, such as {@code createNew .hoodie/x}, in order. */
  public synchronized List<String> operations() {
    return List.copyOf(operations);
  }

  /** Whether the planned fault came. */
  public synchronized boolean hasFailed() {
    return operations.size() > failAt;
  }

  /** Streams that were opened and not closed. */
  public int openStreams() {
    return openStreams.get();
  }

  @Override
  public String location() {
    return delegate.location();
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    run("createNew " + path, () -> delegate.createNew(path, content));
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    run("overwrite " + path, () -> delegate.overwrite(path, content));
  }

  @Override
  public OutputStream create(String path) throws IOException {
    OutputStream out = call("create " + path, () -> delegate.create(path));
    openStreams.incrementAndGet();
    return new FaultyOutput(path, out);
  }

  @Override
  public StorageInput open(String path) throws IOException {
    StorageInput in = call("open " + path, () -> delegate.open(path));
    openStreams.incrementAndGet();
    return new FaultyInput(path, in);
  }

  @Override
  public byte[] read(String path) throws IOException {
    return call("read " + path, () -> delegate.read(path));
  }

  @Override
  public boolean exists(String path) throws IOException {
    return call("exists " + path, () -> delegate.exists(path));
  }

  @Override
  public List<StoredFile> list(String folder) throws IOException {
    return call("list " + folder, () -> delegate.list(folder));
  }

  @Override
  public boolean delete(String path) throws IOException {
    return call("delete " + path, () -> delegate.delete(path));
  }

  @Override
  public boolean deleteFolder(String folder) throws IOException {
    return call("deleteFolder " + folder, () -> delegate.deleteFolder(folder));
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    run("makeFolder " + folder, () -> delegate.makeFolder(folder));
  }

  @Override
  public String toString() {
    return "FaultyStorage(" + delegate + ")";
  }

  private interface Effect {
    void run() throws IOException;
  }

  private interface Answer<T> {
    T get() throws IOException;
  }

  private void run(String operation, Effect effect) throws IOException {
    call(
        operation,
        () -> {
          effect.run();
          return true;
        });
  }

  private <T> T call(String operation, Answer<T> answer) throws IOException {
    Fault now = nextFault(operation);
    if (now == Fault.BEFORE_EFFECT) {
      throw new InjectedException(operation + " failed before its effect");
    }
    T value = answer.get();
    if (now == Fault.AFTER_EFFECT) {
      if (value instanceof AutoCloseable stream) {
        closeQuietly(stream);
      }
      throw new InjectedException(operation + " failed after its effect");
    }
    return value;
  }

  private static void closeQuietly(AutoCloseable stream) throws IOException {
    try {
      stream.close();
    } catch (IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }

  /** Null for none. */
  private synchronized Fault nextFault(String operation) {
    long number = operations.size();
    operations.add(operation);
    if (dead) {
      return Fault.BEFORE_EFFECT;
    }
    if (number == failAt) {
      dead = aftermath == Aftermath.DEAD;
      return fault;
    }
    if (failureRate > 0 && random.nextDouble() < failureRate) {
      return random.nextBoolean() ? Fault.BEFORE_EFFECT : Fault.AFTER_EFFECT;
    }
    return null;
  }

  private synchronized int tornLength(int length) {
    return length == 0 ? 0 : random.nextInt(length);
  }

  /** The failure that was asked for. */
  public static final class InjectedException extends IOException {
    private static final long serialVersionUID = 1L;

    InjectedException(String message) {
      super(message);
    }
  }

  /** A write that fails before its effect leaves a torn part of its bytes. */
  private final class FaultyOutput extends OutputStream {
    private final String path;
    private final OutputStream out;
    private boolean closed;

    FaultyOutput(String path, OutputStream out) {
      this.path = path;
      this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
      write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      Fault now = nextFault("write " + path);
      out.write(bytes, offset, now == Fault.BEFORE_EFFECT ? tornLength(length) : length);
      if (now != null) {
        out.flush();
        throw new InjectedException("write " + path + " failed");
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      if (closed) {
        return;
      }
      closed = true;
      openStreams.decrementAndGet();
      Fault now = nextFault("close " + path);
      out.close();
      if (now != null) {
        throw new InjectedException("close " + path + " failed");
      }
    }
  }

  private final class FaultyInput implements StorageInput {
    private final String path;
    private final StorageInput in;
    private boolean closed;

    FaultyInput(String path, StorageInput in) {
      this.path = path;
      this.in = in;
    }

    @Override
    public long length() throws IOException {
      return in.length();
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
      if (nextFault("readFully " + path) != null) {
        throw new InjectedException("readFully " + path + " failed");
      }
      in.readFully(position, buffer, offset, length);
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        openStreams.decrementAndGet();
      }
      in.close();
    }
  }
}
