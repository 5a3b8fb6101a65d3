package io.hudilite.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FixturesTest {
  @Test
  void longNamesAreUnpackedWhole(@TempDir Path folder) {
    Path table = Fixtures.unpack("mor_rolled_back", folder);

    assertThat(table.resolve(".hoodie/hoodie.properties")).isRegularFile();
    assertThat(
            table.resolve(
                "dt=2025-10-18/.dd5da853-0f60-42c8-8e75-31dc37970634-0_20261129224836380"
                    + ".log.1_0-1874-2154"))
        .isRegularFile();
    assertThat(
            table.resolve(
                "dt=2025-10-19/ac616866-1abe-4946-bbb9-4293db765eb5-0_1-1874-2155"
                    + "_20261129224836380.parquet"))
        .isRegularFile();
  }
}
