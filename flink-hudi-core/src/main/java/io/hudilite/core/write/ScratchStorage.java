package io.hudilite.core.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.MemoryInput;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * A table's storage, with files of one's own above it that the table never sees: what is created
 * here stays in memory, or in a local folder beyond a bound, and is gone when this is closed; all
 * other files are those of the table, for reading only. Not safe for use by several threads.
 */
final class ScratchStorage implements Storage, Closeable {
  private final Storage table;
  private final Path folder;
  private final int memoryBytes;
  private final Map<String, Scratch> files = new HashMap<>();

  /**
   * @param folder an existing local folder
   * @param memoryBytes of one file; what is longer goes to the folder
   */
  ScratchStorage(Storage table, Path folder, int memoryBytes) {
    this.table = requireNonNull(table, "table");
    this.folder = requireNonNull(folder, "folder");
    this.memoryBytes = memoryBytes;
  }

  @Override
  public String location() {
    return table.location();
  }

  @Override
  public OutputStream create(String path) throws IOException {
    Scratch scratch = new Scratch();
    if (files.putIfAbsent(path, scratch) != null) {
      throw new FileAlreadyExistsException(path);
    }
    return scratch;
  }

  /** Moves all files out of the memory. */
  void spill() throws IOException {
    for (Scratch file : files.values()) {
      file.spill();
    }
  }

  @Override
  public StorageInput open(String path) throws IOException {
    Scratch scratch = files.get(path);
    return scratch == null ? table.open(path) : scratch.open();
  }

  @Override
  public byte[] read(String path) throws IOException {
    return table.read(path);
  }

  @Override
  public boolean exists(String path) throws IOException {
    return files.containsKey(path) || table.exists(path);
  }

  @Override
  public List<StoredFile> list(String path) throws IOException {
    return table.list(path);
  }

  @Override
  public boolean delete(String path) throws IOException {
    Scratch scratch = files.remove(path);
    if (scratch != null) {
      scratch.discard();
    }
    return scratch != null;
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    try (OutputStream out = create(path)) {
      out.write(content);
    }
  }

  @Override
  public boolean deleteFolder(String path) {
    throw new UnsupportedOperationException("No folder is deleted here: " + path);
  }

  @Override
  public void makeFolder(String path) {
    // Scratch files have no folders.
  }

  /** Deletes what was created here. */
  @Override
  public void close() throws IOException {
    for (Scratch file : files.values()) {
      file.discard();
    }
    files.clear();
  }

  /** One file, written once and then read. */
  private final class Scratch extends OutputStream {
    private ByteArrayOutputStream memory = new ByteArrayOutputStream(1024);
    private Path path;
    private OutputStream disk;
    private long length;

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      length += count;
      if (disk == null && memory.size() + (long) count > memoryBytes) {
        moveOut();
      }
      (disk == null ? memory : disk).write(bytes, offset, count);
    }

    private void moveOut() throws IOException {
      path = folder.resolve("hudi-lite-changes-" + UUID.randomUUID() + ".tmp");
      disk = Files.newOutputStream(path, StandardOpenOption.CREATE_NEW);
      memory.writeTo(disk);
      memory = null;
    }

    private void spill() throws IOException {
      if (path == null) {
        moveOut();
        close();
      }
    }

    @Override
    public void close() throws IOException {
      if (disk != null) {
        disk.close();
      }
    }

    private StorageInput open() throws IOException {
      return path == null
          ? new MemoryInput(toString(), memory.toByteArray())
          : new FileInput(FileChannel.open(path, StandardOpenOption.READ));
    }

    private void discard() throws IOException {
      memory = null;
      if (path != null) {
        close();
        Files.deleteIfExists(path);
      }
    }

    @Override
    public String toString() {
      return length + " bytes in " + (path == null ? "memory" : path);
    }
  }

  private record FileInput(FileChannel channel) implements StorageInput {
    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int count) throws IOException {
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, count);
      while (target.hasRemaining()) {
        int read = channel.read(target, position + target.position() - offset);
        if (read < 0) {
          throw new EOFException("%d bytes at %d of %d".formatted(count, position, channel.size()));
        }
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
