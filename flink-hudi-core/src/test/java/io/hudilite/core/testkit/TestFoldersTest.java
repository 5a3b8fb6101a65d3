package io.hudilite.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestFoldersTest {
  @TempDir Path folder;

  @Test
  void foldersOfTestsAreMadeByIt() {
    assertThat(folder.getFileName().toString()).startsWith("hudi-lite-test");
  }

  /** Writes files, as fast as it can, until it is told to end or its folder is gone. */
  private static final class Writer {
    private final AtomicBoolean ends = new AtomicBoolean();
    private final CountDownLatch began = new CountDownLatch(1);
    private final Thread thread;

    Writer(Path folder, int files) throws InterruptedException {
      thread =
          new Thread(
              () -> {
                for (int i = 0; i < files && !ends.get(); i++) {
                  try {
                    Path below = Files.createDirectories(folder.resolve("d" + i % 3));
                    Files.writeString(below.resolve("f" + i), "x");
                  } catch (IOException e) {
                    // The folder is being deleted, which is what this is for.
                  }
                  began.countDown();
                }
              });
      thread.start();
      began.await();
    }

    void end() throws InterruptedException {
      ends.set(true);
      thread.join();
    }
  }

  @Test
  void whoStillWritesIsWaitedFor() throws Exception {
    Path below = Files.createDirectory(folder.resolve("job"));
    Writer writer = new Writer(below, 2_000);
    TestFolders.delete(below, 60_000_000_000L);
    writer.end();
    TestFolders.delete(below, 60_000_000_000L);
    assertThat(below).doesNotExist();
  }

  @Test
  void whoNeverEndsIsAnError() throws Exception {
    Path below = Files.createDirectory(folder.resolve("job"));
    Files.writeString(below.resolve("kept"), "x");
    Writer writer = new Writer(below, Integer.MAX_VALUE);
    try {
      // Deleted and made again by turns: at a limit of nothing at all, it is there most times.
      assertThatThrownBy(
              () -> {
                while (true) {
                  TestFolders.delete(below, 0);
                }
              })
          .isInstanceOf(IOException.class)
          .hasMessageContaining("A test has ended")
          .hasMessageContaining(below.toString());
    } finally {
      writer.end();
    }
  }
}
