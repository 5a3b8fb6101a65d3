package io.hudilite.e2e.demo;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.timeline.Action;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Where the demo puts things: a temporary folder with Kafka's data, Flink's checkpoints and, unless
 * the user named a place for it, the table. Closing removes what is not to be kept; so does the end
 * of the process when the user interrupts the demo.
 */
final class DemoFolders implements AutoCloseable {
  private final Path temporary;
  private final String table;
  private final boolean tableIsTemporary;
  private final boolean keep;
  private final Storage storage;
  private final Thread removeAtExit = new Thread(this::remove, "remove-folders");

  private DemoFolders(Path temporary, String table, boolean tableIsTemporary, boolean keep) {
    this.temporary = temporary;
    this.table = table;
    this.tableIsTemporary = tableIsTemporary;
    this.keep = keep;
    this.storage = Storages.of(table);
  }

  /**
   * @throws IOException if the folder that the user named cannot be used, with the reason
   */
  static DemoFolders prepare(DemoOptions options) throws IOException {
    if (options.path().isPresent()) {
      requireEmpty(options.path().get());
    }
    Path temporary = Files.createTempDirectory("hudi-lite-demo-");
    String table =
        options.path().isPresent()
            ? absolute(options.path().get())
            : temporary.resolve("orders").toString();
    DemoFolders folders =
        new DemoFolders(temporary, table, options.path().isEmpty(), options.keep());
    Runtime.getRuntime().addShutdownHook(folders.removeAtExit);
    return folders;
  }

  private static boolean isLocal(String path) {
    return !path.contains("://") && !path.startsWith("file:");
  }

  private static String absolute(String path) {
    return isLocal(path) ? Path.of(path).toAbsolutePath().normalize().toString() : path;
  }

  /** The demo compares the table with its own input: rows of an earlier run would be too many. */
  private static void requireEmpty(String path) throws IOException {
    if (!isLocal(path)) {
      return;
    }
    Path folder = Path.of(absolute(path));
    if (Files.notExists(folder)) {
      try {
        Files.createDirectories(folder);
      } catch (IOException e) {
        throw new IOException(
            "--path %s cannot be created (%s); name a folder that this user may write"
                .formatted(folder, e),
            e);
      }
    } else if (!Files.isDirectory(folder)) {
      throw new IOException("--path %s is a file; name a new or empty folder".formatted(folder));
    } else {
      try (DirectoryStream<Path> content = Files.newDirectoryStream(folder)) {
        if (content.iterator().hasNext()) {
          throw new IOException(
              ("--path %s is not empty. The demo compares the table with what it sends itself: name"
                      + " a new or empty folder")
                  .formatted(folder));
        }
      }
    }
    if (!Files.isWritable(folder)) {
      throw new IOException("--path %s cannot be written by this user".formatted(folder));
    }
  }

  /** As the option {@code path} takes it. */
  String table() {
    return table;
  }

  Path kafka() {
    return temporary.resolve("kafka");
  }

  Path checkpoints() {
    return temporary.resolve("checkpoints");
  }

  Path savepoints() {
    return temporary.resolve("savepoints");
  }

  /** Whether the table has a first commit. */
  boolean hasCommit() throws IOException {
    return storage.list(".hoodie/timeline").stream()
        .anyMatch(file -> file.name().endsWith(Action.DELTA_COMMIT.completedSuffix()));
  }

  /** Whether the table is there when the demo is over. */
  boolean isKept() {
    return keep || !tableIsTemporary;
  }

  @Override
  public void close() {
    Runtime.getRuntime().removeShutdownHook(removeAtExit);
    remove();
  }

  private void remove() {
    if (keep && tableIsTemporary) {
      List.of(kafka(), checkpoints(), savepoints()).forEach(DemoFolders::removeTree);
    } else {
      removeTree(temporary);
    }
  }

  /** Leaves what it cannot remove: it is in the folder for temporary files. */
  private static void removeTree(Path root) {
    if (Files.notExists(root)) {
      return;
    }
    try (Stream<Path> tree = Files.walk(root)) {
      tree.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
    } catch (IOException e) {
      System.err.println("demo: could not remove " + root + ": " + e.getMessage());
    }
  }
}
