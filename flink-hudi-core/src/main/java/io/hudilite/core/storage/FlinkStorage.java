package io.hudilite.core.storage;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

/**
 * A table in any file system that Flink has, with the credentials that Flink has.
 *
 * <p>A whole file is made on HDFS by a temporary file and a rename, which fails there if the name
 * is taken; elsewhere by a create that must not replace, since object stores show an object only
 * when it is complete. Whether that create is also exclusive between two processes depends on the
 * store and its plugin. Source: Hudi 1.0.2 HoodieStorage.createImmutableFileInPath.
 */
public final class FlinkStorage implements Storage {
  private final Path root;
  private final FileSystem fileSystem;
  private final boolean renameIsExclusive;

  /**
   * @throws java.io.UncheckedIOException if Flink has no file system for the scheme
   */
  public FlinkStorage(String basePath) {
    this.root = new Path(requireNonNull(basePath, "basePath"));
    try {
      this.fileSystem = root.getFileSystem();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(
          "Flink has no file system for '%s': put its plugin into Flink's plugins folder"
              .formatted(basePath),
          e);
    }
    String scheme = root.toUri().getScheme();
    this.renameIsExclusive = "hdfs".equals(scheme) || "viewfs".equals(scheme);
  }

  /** The path with a scheme: its own, or the one of Flink's default file system. */
  static URI qualify(String basePath) {
    URI uri = new Path(basePath).toUri();
    if (uri.getScheme() != null) {
      return uri;
    }
    URI defaultFileSystem = FileSystem.getDefaultFsUri();
    return "file".equals(defaultFileSystem.getScheme())
        ? java.nio.file.Path.of(uri.getPath()).toAbsolutePath().toUri()
        : new Path(defaultFileSystem.getScheme(), defaultFileSystem.getAuthority(), uri.getPath())
            .toUri();
  }

  @Override
  public String location() {
    return root.toString();
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    if (!renameIsExclusive || content.length == 0) {
      writeAndClose(openNew(path), content);
      return;
    }
    Path target = resolve(path);
    if (fileSystem.exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Path temporary =
        new Path(target.getParent(), "." + target.getName() + "." + UUID.randomUUID() + ".tmp");
    boolean renamed = false;
    try {
      writeAndClose(fileSystem.create(temporary, WriteMode.NO_OVERWRITE), content);
      renamed = fileSystem.rename(temporary, target);
    } finally {
      if (!renamed) {
        fileSystem.delete(temporary, false);
      }
    }
    if (!renamed) {
      if (fileSystem.exists(target)) {
        throw new FileAlreadyExistsException(target.toString());
      }
      throw new IOException("Could not rename %s to %s".formatted(temporary, target));
    }
  }

  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    writeAndClose(fileSystem.create(resolve(path), WriteMode.OVERWRITE), content);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    return openNew(path);
  }

  @Override
  public StorageInput open(String path) throws IOException {
    Path file = resolve(path);
    try {
      return new FlinkInput(fileSystem, fileSystem.open(file), file);
    } catch (FileNotFoundException e) {
      throw noSuchFile(file, e);
    }
  }

  @Override
  public byte[] read(String path) throws IOException {
    Path file = resolve(path);
    try (FSDataInputStream in = fileSystem.open(file)) {
      return in.readAllBytes();
    } catch (FileNotFoundException e) {
      throw noSuchFile(file, e);
    }
  }

  @Override
  public boolean exists(String path) throws IOException {
    return fileSystem.exists(resolve(path));
  }

  @Override
  public List<StoredFile> list(String folder) throws IOException {
    FileStatus[] statuses;
    try {
      statuses = fileSystem.listStatus(resolve(folder));
    } catch (FileNotFoundException e) {
      return List.of();
    }
    if (statuses == null) {
      return List.of();
    }
    List<StoredFile> entries = new ArrayList<>(statuses.length);
    for (FileStatus status : statuses) {
      String name = status.getPath().getName();
      if (name.startsWith(".") && name.endsWith(".crc")) {
        continue;
      }
      entries.add(
          new StoredFile(
              name,
              status.isDir() ? 0 : status.getLen(),
              Math.max(0, status.getModificationTime()),
              status.isDir()));
    }
    return entries;
  }

  @Override
  public boolean delete(String path) throws IOException {
    return deleteIfPresent(resolve(path), false);
  }

  @Override
  public boolean deleteFolder(String folder) throws IOException {
    return deleteIfPresent(resolve(folder), true);
  }

  @Override
  public void renameFolder(String from, String to) throws IOException {
    if (!renameIsExclusive) {
      Storage.super.renameFolder(from, to);
      return;
    }
    if (fileSystem.exists(resolve(to))) {
      throw new FileAlreadyExistsException(to);
    }
    if (!fileSystem.rename(resolve(from), resolve(to))) {
      throw new IOException("Could not rename %s to %s".formatted(resolve(from), resolve(to)));
    }
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    fileSystem.mkdirs(resolve(folder));
  }

  @Override
  public String toString() {
    return "FlinkStorage(" + root + ")";
  }

  private FSDataOutputStream openNew(String path) throws IOException {
    Path file = resolve(path);
    try {
      return fileSystem.create(file, WriteMode.NO_OVERWRITE);
    } catch (IOException e) {
      // HDFS throws a class of Hadoop's own, which is not on our class path.
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause.getClass().getSimpleName().equals("FileAlreadyExistsException")) {
          throw asAlreadyExists(file, e);
        }
      }
      throw e;
    }
  }

  private static FileAlreadyExistsException asAlreadyExists(Path file, IOException e) {
    FileAlreadyExistsException translated = new FileAlreadyExistsException(file.toString());
    translated.initCause(e);
    return translated;
  }

  private static NoSuchFileException noSuchFile(Path file, FileNotFoundException e) {
    NoSuchFileException translated = new NoSuchFileException(file.toString());
    translated.initCause(e);
    return translated;
  }

  private static void writeAndClose(FSDataOutputStream out, byte[] content) throws IOException {
    try (out) {
      out.write(content);
    }
  }

  private boolean deleteIfPresent(Path path, boolean recursive) throws IOException {
    try {
      return fileSystem.exists(path) && fileSystem.delete(path, recursive);
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  private Path resolve(String path) {
    if (path.isEmpty()) {
      return root;
    }
    if (path.startsWith("/") || path.startsWith("../") || path.contains("/../")) {
      throw new IllegalArgumentException("'" + path + "' is not a path below " + root);
    }
    // The two-argument constructors parse the child as a URI and so trip over ':'.
    String base = root.toString();
    return new Path(base.endsWith("/") ? base + path : base + "/" + path);
  }

  /** Its length is asked for only if somebody wants it: that is a request of its own. */
  private record FlinkInput(FileSystem fileSystem, FSDataInputStream in, Path path)
      implements StorageInput {
    @Override
    public long length() throws IOException {
      try {
        return fileSystem.getFileStatus(path).getLen();
      } catch (FileNotFoundException e) {
        throw noSuchFile(path, e);
      }
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int count) throws IOException {
      try {
        if (in.getPos() != position) {
          in.seek(position);
        }
        int done = 0;
        while (done < count) {
          int read = in.read(buffer, offset + done, count - done);
          if (read < 0) {
            throw new EOFException(
                "%s ends before byte %d: %d bytes were asked for from byte %d"
                    .formatted(path, position + count, count, position));
          }
          done += read;
        }
      } catch (FileNotFoundException e) {
        throw noSuchFile(path, e); // of file systems that look when they read
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
