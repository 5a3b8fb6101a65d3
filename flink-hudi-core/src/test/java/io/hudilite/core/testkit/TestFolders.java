package io.hudilite.core.testkit;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Makes the folders of {@code @TempDir}, and deletes them when nobody writes there any more. A
 * cancelled job's tasks, its coordinators and Flink's clean-up of checkpoints end some time after
 * {@code cancel()} has returned; JUnit's own deletion fails then, by chance. A folder that is still
 * written to after three minutes belongs to a job that the test has left running: an error.
 *
 * <p>In force for all modules by {@code junit-platform.properties}, which also turns JUnit's own
 * deletion off.
 */
public final class TestFolders implements TempDirFactory {
  private static final long LIMIT_NANOS = TimeUnit.MINUTES.toNanos(3);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

  /** Tells of each folder that JUnit leaves to us. Held, since loggers are kept weakly. */
  private static final Logger JUNIT =
      Logger.getLogger("org.junit.jupiter.engine.extension.TempDirectory$CloseablePath");

  static {
    JUNIT.setLevel(Level.WARNING);
  }

  private final List<Path> folders = new ArrayList<>();

  @Override
  public Path createTempDirectory(
      AnnotatedElementContext elementContext, ExtensionContext extensionContext)
      throws IOException {
    Path folder = Files.createTempDirectory("hudi-lite-test");
    folders.add(folder);
    return folder;
  }

  @Override
  public void close() throws IOException {
    for (Path folder : folders) {
      delete(folder, LIMIT_NANOS);
    }
  }

  static void delete(Path folder, long limitNanos) throws IOException {
    long end = System.nanoTime() + limitNanos;
    while (true) {
      deleteOnce(folder);
      if (!Files.exists(folder)) {
        return;
      }
      if (System.nanoTime() - end > 0) {
        try (Stream<Path> left = Files.walk(folder)) {
          throw new IOException(
              "A test has ended, and its folder is still written to: "
                  + left.limit(20).map(Path::toString).toList());
        } catch (UncheckedIOException e) {
          throw new IOException("A test has ended, and its folder still changes: " + folder, e);
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Deletes what can be deleted now. */
  private static void deleteOnce(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            // A test may have taken these rights away.
            File file = directory.toFile();
            file.setReadable(true);
            file.setWritable(true);
            file.setExecutable(true);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return deleteIfPossible(file);
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException e) {
            return deleteIfPossible(directory);
          }
        });
  }

  /** A file that stays is seen by the caller, who tries again. */
  private static FileVisitResult deleteIfPossible(Path path) {
    path.toFile().delete();
    return FileVisitResult.CONTINUE;
  }
}
