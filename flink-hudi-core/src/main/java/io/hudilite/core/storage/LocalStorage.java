package io.hudilite.core.storage;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A table in the local file system. Whole files appear by a hard link to a finished temporary file,
 * which is atomic and never replaces another file. Checksum files that Hadoop leaves beside its
 * files are not listed, and deleted together with their file: Hadoop would take a stale one as
 * proof of damage.
 */
public final class LocalStorage implements Storage {
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Path root;

  public LocalStorage(Path root) {
    this.root = requireNonNull(root, "root").toAbsolutePath().normalize();
  }

  @Override
  public String location() {
    return "file:" + root;
  }

  @Override
  public void createNew(String path, byte[] content) throws IOException {
    Path target = resolve(path);
    Path folder = parentOf(target);
    if (Files.exists(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    Files.createDirectories(folder);
    if (content.length == 0) {
      Files.createFile(target);
      return;
    }
    Path temporary = folder.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
    try {
      try (FileChannel channel =
          FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
        ByteBuffer buffer = ByteBuffer.wrap(content);
        while (buffer.hasRemaining()) {
          channel.write(buffer);
        }
        channel.force(true);
      }
      Files.createLink(target, temporary);
    } finally {
      Files.deleteIfExists(temporary);
    }
  }

  /** In place: nothing appears in a folder that somebody may be deleting. */
  @Override
  public void overwrite(String path, byte[] content) throws IOException {
    Files.write(
        resolve(path), content, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  @Override
  public OutputStream create(String path) throws IOException {
    Path target = resolve(path);
    Files.createDirectories(parentOf(target));
    return new java.io.BufferedOutputStream(
        Files.newOutputStream(target, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
        BUFFER_BYTES);
  }

  @Override
  public StorageInput open(String path) throws IOException {
    return new ChannelInput(FileChannel.open(resolve(path), StandardOpenOption.READ), path);
  }

  @Override
  public byte[] read(String path) throws IOException {
    return Files.readAllBytes(resolve(path));
  }

  @Override
  public boolean exists(String path) {
    return Files.exists(resolve(path));
  }

  @Override
  public List<StoredFile> list(String folder) throws IOException {
    List<StoredFile> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(resolve(folder))) {
      for (Path entry : stream) {
        String name = entry.getFileName().toString();
        if (isChecksumFile(name)) {
          continue;
        }
        try {
          BasicFileAttributes attributes = Files.readAttributes(entry, BasicFileAttributes.class);
          boolean isFolder = attributes.isDirectory();
          entries.add(
              new StoredFile(
                  name,
                  isFolder ? 0 : attributes.size(),
                  attributes.lastModifiedTime().toMillis(),
                  isFolder));
        } catch (NoSuchFileException e) {
          // Deleted since the listing began: as if the listing had come a moment later.
        }
      }
    } catch (NoSuchFileException | NotDirectoryException e) {
      return List.of();
    } catch (java.nio.file.DirectoryIteratorException e) {
      throw e.getCause();
    }
    return entries;
  }

  @Override
  public boolean delete(String path) throws IOException {
    Path target = resolve(path);
    Files.deleteIfExists(target.resolveSibling("." + target.getFileName() + ".crc"));
    return Files.deleteIfExists(target);
  }

  @Override
  public boolean deleteFolder(String folder) throws IOException {
    Path top = resolve(folder);
    if (!Files.exists(top)) {
      return false;
    }
    Files.walkFileTree(
        top,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path visited, IOException e)
              throws IOException {
            if (e != null) {
              throw e;
            }
            Files.deleteIfExists(visited);
            return FileVisitResult.CONTINUE;
          }
        });
    return true;
  }

  @Override
  public void renameFolder(String from, String to) throws IOException {
    if (Files.exists(resolve(to))) {
      throw new FileAlreadyExistsException(to);
    }
    Files.move(resolve(from), resolve(to), java.nio.file.StandardCopyOption.ATOMIC_MOVE);
  }

  @Override
  public void makeFolder(String folder) throws IOException {
    Files.createDirectories(resolve(folder));
  }

  @Override
  public String toString() {
    return "LocalStorage(" + root + ")";
  }

  private Path resolve(String path) {
    Path resolved = root.resolve(path).normalize();
    if (path.startsWith("/") || !resolved.startsWith(root)) {
      throw new IllegalArgumentException("'" + path + "' is not a path below " + root);
    }
    return resolved;
  }

  private static Path parentOf(Path target) {
    return requireNonNull(target.getParent(), "a file has a parent folder");
  }

  private static boolean isChecksumFile(String name) {
    return name.startsWith(".") && name.endsWith(".crc");
  }

  private record ChannelInput(FileChannel channel, String path) implements StorageInput {
    @Override
    public long length() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long position, byte[] buffer, int offset, int length) throws IOException {
      ByteBuffer target = ByteBuffer.wrap(buffer, offset, length);
      long from = position;
      while (target.hasRemaining()) {
        int count = channel.read(target, from);
        if (count < 0) {
          throw new EOFException(
              "%s ends at byte %d, but %d bytes were asked for from byte %d"
                  .formatted(path, channel.size(), length, position));
        }
        from += count;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
