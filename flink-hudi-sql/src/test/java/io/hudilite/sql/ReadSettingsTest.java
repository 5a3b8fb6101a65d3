package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.sql.KnownOption.Concerns;
import io.hudilite.sql.ReadSettings.Extent;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadSettingsTest {
  private static final String INSTANT = "20261130002121123";

  private static ReadSettings settings(String... keysAndValues) {
    Map<String, String> with = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      with.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return ReadSettings.of(EffectiveOptions.of("t", with, Concerns.READERS));
  }

  @Test
  void extentFollowsFromTheOptions() {
    assertThat(settings().extent()).isEqualTo(Extent.SNAPSHOT);
    assertThat(settings("read.end-commit", INSTANT).extent()).isEqualTo(Extent.SNAPSHOT);
    assertThat(settings("read.start-commit", INSTANT).extent()).isEqualTo(Extent.CHANGES);
    assertThat(settings("hoodie.datasource.query.type", "INCREMENTAL").extent())
        .isEqualTo(Extent.CHANGES);
    assertThat(settings("hoodie.datasource.query.type", "read_optimized").extent())
        .isEqualTo(Extent.BASE_FILES);
    assertThat(settings("read.streaming.enabled", "true").extent()).isEqualTo(Extent.STREAMING);
  }

  @Test
  void intervalIsInSeconds() {
    assertThat(settings().checkInterval()).isEqualTo(Duration.ofSeconds(60));
    assertThat(settings("read.streaming.check-interval", "2").checkInterval())
        .isEqualTo(Duration.ofSeconds(2));
  }

  @ParameterizedTest
  @CsvSource({
    "hoodie.datasource.query.type, read_optimized, read.streaming.enabled, true",
    "hoodie.datasource.query.type, read_optimized, read.start-commit, earliest",
    "hoodie.datasource.query.type, read_optimized, read.end-commit, 20261130002121123",
    "read.end-commit, 20261130002121123, read.streaming.enabled, true"
  })
  void optionsThatContradictAreRefused(String one, String value, String other, String otherValue) {
    assertThatThrownBy(() -> settings(one, value, other, otherValue))
        .hasMessageContaining("'" + one + "'='" + value + "' does not go with '" + other + "'");
  }
}
