package io.hudilite.source.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.timeline.InstantTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommitTimeParserTest {

  @ParameterizedTest
  @CsvSource({
    "20260131235959123, 20260131235959123",
    "20260131235959, 20260131235959",
    "2026-01-31 23:59:59.123, 20260131235959123",
    "2026-01-31T23:59:59.1, 20260131235959100",
    "2026-01-31 23:59:59, 20260131235959000",
    "2026-01-31 23:59, 20260131235900000",
    "2026-01-31, 20260131000000000",
    "00000000000000, 00000000000000"
  })
  void startIsTheFirstMoment(String text, String digits) {
    assertThat(CommitTimeParser.start("o", text))
        .isEqualTo(new StartingPosition.At(new InstantTime(digits)));
  }

  @ParameterizedTest
  @CsvSource({
    "20260131235959123, 20260131235959123",
    "20260131235959, 20260131235959999",
    "2026-01-31 23:59:59, 20260131235959999",
    "2026-01-31 23:59, 20260131235959999",
    "2026-01-31, 20260131235959999"
  })
  void endIsTheLastMoment(String text, String digits) {
    assertThat(CommitTimeParser.end("o", text)).isEqualTo(new InstantTime(digits));
  }

  @Test
  void wordsAreTakenInAnyCase() {
    assertThat(CommitTimeParser.start("o", " Earliest "))
        .isEqualTo(new StartingPosition.Earliest());
    assertThat(CommitTimeParser.start("o", "LATEST")).isEqualTo(new StartingPosition.Latest());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026",
        "20261331000000",
        "2026-02-30",
        "2026013123595912",
        "1e9"
      })
  void anythingElseIsRefusedWithOptionAndForms(String text) {
    assertThatThrownBy(() -> CommitTimeParser.start("read.start-commit", text))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("read.start-commit")
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("yyyyMMddHHmmssSSS")
        .hasMessageContaining("earliest");
  }

  @Test
  void endHasNoWords() {
    assertThatThrownBy(() -> CommitTimeParser.end("read.end-commit", "latest"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("read.end-commit");
  }
}
