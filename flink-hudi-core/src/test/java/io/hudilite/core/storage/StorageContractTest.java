package io.hudilite.core.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.testkit.InMemoryStorage;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each storage must do. */
final class StorageContractTest {
  private static final byte[] HELLO = "hello".getBytes(StandardCharsets.UTF_8);

  interface Maker {
    Storage make(Path folder);
  }

  static Stream<Maker> storages() {
    return Stream.of(
        LocalStorage::new,
        folder -> new FlinkStorage("file:" + folder),
        folder -> new InMemoryStorage());
  }

  @TempDir Path folder;

  @ParameterizedTest
  @MethodSource("storages")
  void takenNameIsNeverReplaced(Maker maker) throws IOException {
    Storage storage = maker.make(folder);
    storage.createNew("a/b.txt", HELLO);

    assertThatThrownBy(() -> storage.createNew("a/b.txt", new byte[0]))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> storage.createNew("a/b.txt", new byte[] {1}))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThatThrownBy(() -> storage.create("a/b.txt"))
        .isInstanceOf(FileAlreadyExistsException.class);
    assertThat(storage.read("a/b.txt")).isEqualTo(HELLO);
    assertThat(storage.list("a")).extracting(StoredFile::name).containsExactly("b.txt");
  }

  @ParameterizedTest
  @MethodSource("storages")
  void contentIsReplaced(Maker maker) throws IOException {
    Storage storage = maker.make(folder);
    storage.createNew("a/b.txt", HELLO);

    storage.overwrite("a/b.txt", new byte[] {1});

    assertThat(storage.read("a/b.txt")).containsExactly(1);
    assertThat(storage.list("a")).extracting(StoredFile::name).containsExactly("b.txt");
  }

  @ParameterizedTest
  @MethodSource("storages")
  void streamsAreReadFromAnyPosition(Maker maker) throws IOException {
    Storage storage = maker.make(folder);
    try (OutputStream out = storage.create("dt=1/f 1 %.log")) {
      out.write(HELLO);
      out.write(HELLO);
    }

    try (StorageInput in = storage.open("dt=1/f 1 %.log")) {
      byte[] buffer = new byte[8];
      in.readFully(3, buffer, 1, 4);
      assertThat(new String(buffer, 1, 4, StandardCharsets.UTF_8)).isEqualTo("lohe");
      assertThat(in.length()).isEqualTo(10);
      in.readFully(0, buffer, 0, 2);
      assertThat(new String(buffer, 0, 2, StandardCharsets.UTF_8)).isEqualTo("he");
      assertThatThrownBy(() -> in.readFully(8, buffer, 0, 3)).isInstanceOf(EOFException.class);
    }
    assertThat(storage.list("dt=1")).extracting(StoredFile::length).containsExactly(10L);
  }

  @ParameterizedTest
  @MethodSource("storages")
  void whatIsNotThereIsToldApart(Maker maker) throws IOException {
    Storage storage = maker.make(folder);

    assertThatThrownBy(() -> storage.read("none")).isInstanceOf(NoSuchFileException.class);
    assertThatThrownBy(() -> storage.open("none")).isInstanceOf(NoSuchFileException.class);
    assertThat(storage.list("none")).isEmpty();
    assertThat(storage.exists("none")).isFalse();
    assertThat(storage.delete("none")).isFalse();
    assertThat(storage.deleteFolder("none")).isFalse();
  }

  @ParameterizedTest
  @MethodSource("storages")
  void foldersGoWithAllThatIsInThem(Maker maker) throws IOException {
    Storage storage = maker.make(folder);
    storage.createNew("x/y/1", HELLO);
    storage.createNew("x/2", HELLO);
    storage.makeFolder("x/empty");

    assertThat(storage.list("x")).extracting(StoredFile::name).contains("y", "2", "empty");
    assertThat(storage.list("x")).filteredOn(StoredFile::isFolder).hasSize(2);
    assertThat(storage.deleteFolder("x")).isTrue();
    assertThat(storage.exists("x/y/1")).isFalse();
    assertThat(storage.list("")).isEmpty();
  }

  /** Flink's own local file system looks before it creates, so it is left out. */
  static Stream<Maker> exclusiveStorages() {
    return Stream.of(LocalStorage::new, folder -> new InMemoryStorage());
  }

  @ParameterizedTest
  @MethodSource("exclusiveStorages")
  void ofManyThatCreateOneNameOneWins(Maker maker) throws Exception {
    Storage storage = maker.make(folder);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Boolean>> attempts =
          IntStream.range(0, 16)
              .<Callable<Boolean>>mapToObj(
                  i ->
                      () -> {
                        try {
                          storage.createNew("fate", new byte[] {(byte) i, (byte) i});
                          return true;
                        } catch (FileAlreadyExistsException e) {
                          return false;
                        }
                      })
              .toList();
      int winners = 0;
      for (Future<Boolean> attempt : threads.invokeAll(attempts)) {
        winners += attempt.get() ? 1 : 0;
      }
      assertThat(winners).isEqualTo(1);
      assertThat(storage.read("fate")).hasSize(2);
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void checksumFilesAreHiddenAndGoWithTheirFile() throws IOException {
    Storage storage = new LocalStorage(folder);
    storage.createNew("a", HELLO);
    Files.write(folder.resolve(".a.crc"), HELLO);

    assertThat(storage.list("")).extracting(StoredFile::name).containsExactly("a");
    storage.delete("a");
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void pathsOutsideOfTheTableAreRefused() {
    Storage storage = new LocalStorage(folder);

    assertThatThrownBy(() -> storage.read("../x")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> storage.read("/etc/hosts"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void schemeDecides() {
    assertThat(Storages.of(folder.toString())).isInstanceOf(LocalStorage.class);
    assertThat(Storages.of("file:" + folder)).isInstanceOf(LocalStorage.class);
    assertThat(Storages.of("file://" + folder)).isInstanceOf(LocalStorage.class);
    assertThat(Storages.of("file:///a/b").location()).isEqualTo("file:/a/b");
  }
}
