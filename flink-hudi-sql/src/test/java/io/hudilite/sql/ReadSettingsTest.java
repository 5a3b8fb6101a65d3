package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.RangeConfig.Deletes;
import io.hudilite.sql.KnownOption.Concerns;
import io.hudilite.sql.ReadSettings.Extent;
import java.time.Duration;
import java.time.ZoneId;
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
  void boundedChangesAreRowsAndStreamsHaveDeletes() {
    assertThat(settings("read.start-commit", INSTANT).ranges().deletes()).isEqualTo(Deletes.SKIP);
    RangeConfig stream =
        settings(
                "read.streaming.enabled",
                "true",
                "read.commits.limit",
                "3",
                "read.splits.limit",
                "70",
                "read.streaming.skip_insertoverwrite",
                "true")
            .ranges();
    assertThat(stream)
        .isEqualTo(
            new RangeConfig(
                3,
                70,
                RangeConfig.Commits.TOGETHER,
                RangeConfig.Overwrites.SKIP,
                Deletes.READ,
                128L << 20));
  }

  @Test
  void timesWithAnOffsetAreTurnedToTheClockOfTheTable() {
    ZoneId shanghai = ZoneId.of("Asia/Shanghai");
    assertThat(ReadSettings.inZone("2026-01-31T10:00:00Z", shanghai))
        .isEqualTo("20260131180000000");
    assertThat(ReadSettings.inZone("2026-01-31 10:00:00+08:00", shanghai))
        .isEqualTo("20260131100000000");
    assertThat(ReadSettings.inZone("2026-01-31 10:00", shanghai)).isEqualTo("2026-01-31 10:00");
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
    "hoodie.datasource.query.type, read_optimized, read.end-commit, 20261130002121123"
  })
  void optionsThatContradictAreRefused(String one, String value, String other, String otherValue) {
    assertThatThrownBy(() -> settings(one, value, other, otherValue))
        .hasMessageContaining("'" + one + "'='" + value + "' does not go with '" + other + "'");
  }
}
