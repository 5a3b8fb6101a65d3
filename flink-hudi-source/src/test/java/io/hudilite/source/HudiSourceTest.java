package io.hudilite.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import java.time.Duration;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

class HudiSourceTest {

  @Test
  void boundedUnlessContinuous() {
    assertThat(builder().build().getBoundedness()).isEqualTo(Boundedness.BOUNDED);
    assertThat(builder().continuous().build().getBoundedness())
        .isEqualTo(Boundedness.CONTINUOUS_UNBOUNDED);
    assertThat(builder().continuous().bounded().build().getBoundedness())
        .isEqualTo(Boundedness.BOUNDED);
  }

  @Test
  void producesRowsOfTheWantedType() {
    assertThat(builder().build().getProducedType())
        .isEqualTo(InternalTypeInfo.of(TestTable.COLUMNS));
  }

  @Test
  void travelsWithTheJobGraph() throws Exception {
    for (HudiSource.Builder builder :
        new HudiSource.Builder[] {
          builder(),
          builder().asOf("20260101000000"),
          builder().startCommit("20260101000000").endCommit("2026-01-02"),
          builder().continuous().startCommit("latest"),
          builder().continuous().partitionFilter(path -> path.startsWith("dt=2026"))
        }) {
      HudiSource source = builder.build();
      HudiSource copy = InstantiationUtil.clone(source);
      assertThat(copy.getBoundedness()).isEqualTo(source.getBoundedness());
      assertThat(copy.getProducedType()).isEqualTo(source.getProducedType());
    }
  }

  @Test
  void missingSettingsAreNamed() {
    assertThatThrownBy(() -> HudiSource.builder().rowType(TestTable.COLUMNS).build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'path'");
    assertThatThrownBy(() -> HudiSource.builder().path("/t").build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("/t");
  }

  @Test
  void settingsThatContradictAreRefused() {
    assertThatThrownBy(
            () ->
                builder()
                    .continuous()
                    .startCommit("20260102000000")
                    .endCommit("20260101000000")
                    .build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("read.end-commit");
    assertThatThrownBy(() -> builder().asOf("20260101000000").startCommit("earliest").build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("20260101000000");
    assertThatThrownBy(
            () -> builder().startCommit("20260102000000000").endCommit("20260101000000000").build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("before");
    assertThatThrownBy(() -> builder().continuous().checkInterval(Duration.ZERO).build())
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("read.streaming.check-interval");
  }

  private static HudiSource.Builder builder() {
    return HudiSource.builder().path("/tables/orders").rowType(TestTable.COLUMNS);
  }
}
