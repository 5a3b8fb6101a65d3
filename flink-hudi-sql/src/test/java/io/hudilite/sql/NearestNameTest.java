package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNameTest {

  @Test
  void distanceCountsInsertionsDeletionsAndReplacements() {
    assertThat(NearestName.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(NearestName.distance("", "abc")).isEqualTo(3);
    assertThat(NearestName.distance("TS", "ts")).isZero();
  }

  @Test
  void nearestWinsAndOfEqualOnesTheFirstInTheAlphabet() {
    assertThat(NearestName.of("ts", List.of("id", "tss", "tsx", "name"))).contains("tss");
    assertThat(NearestName.of("x", List.of())).isEmpty();
  }

  @Test
  void closeMeansThatMostLettersAgree() {
    assertThat(NearestName.closeTo("odering.fields", List.of("ordering.fields")))
        .contains("ordering.fields");
    assertThat(NearestName.closeTo("something.else", List.of("ordering.fields"))).isEmpty();
  }
}
