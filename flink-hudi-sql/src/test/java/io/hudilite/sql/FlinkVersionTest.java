package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;

/** Tests that pass on another Flink than the one that was asked for prove nothing. */
class FlinkVersionTest {

  @Test
  void testsRunOnTheFlinkThatTheBuildAskedFor() {
    assertThat(EnvironmentInformation.getVersion()).isEqualTo(System.getProperty("flink.version"));
  }
}
