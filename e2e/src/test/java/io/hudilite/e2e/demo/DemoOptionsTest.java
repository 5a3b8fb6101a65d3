package io.hudilite.e2e.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoOptionsTest {

  @Test
  void nothingGivenIsASmallRunInATemporaryFolder() throws Exception {
    assertThat(DemoOptions.parse()).contains(new DemoOptions(Optional.empty(), 20_000, 500, false));
  }

  @Test
  void allOptionsAreTaken() throws Exception {
    assertThat(DemoOptions.parse("--rows", "10", "--rate", "0", "--keep", "--path", "/tmp/t"))
        .contains(new DemoOptions(Optional.of("/tmp/t"), 10, 0, true));
  }

  @Test
  void helpIsNoRun() throws Exception {
    assertThat(DemoOptions.parse("--rows", "10", "--help")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "--rows x,      '--rows needs a whole number from 1 to 2147483647, not ''x'''",
    "--rows 0,      '--rows needs a whole number from 1 to 2147483647, not ''0'''",
    "--rate -1,     '--rate needs a whole number from 0 to 2147483647, not ''-1'''",
    "--path,        --path needs a value",
    "--path --keep, --path needs a value",
    "--speed 3,     no such option: --speed",
    "orders,        no such option: orders"
  })
  void whatMakesNoSenseIsNamed(String commandLine, String message) {
    assertThatThrownBy(() -> DemoOptions.parse(commandLine.split(" ")))
        .isInstanceOf(DemoOptions.Misuse.class)
        .hasMessage(message);
  }
}
