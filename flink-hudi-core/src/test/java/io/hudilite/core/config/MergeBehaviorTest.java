package io.hudilite.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.MergeBehavior.Fill;
import io.hudilite.core.config.MergeBehavior.Order;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MergeBehaviorTest {
  private static TableConfig table(Map<String, String> more) {
    Map<String, String> properties =
        new TreeMap<>(
            Map.of(
                TableConfig.NAME, "t",
                TableConfig.TYPE, "MERGE_ON_READ",
                TableConfig.VERSION, "8",
                TableConfig.RECORD_KEY_FIELDS, "id",
                TableConfig.PRECOMBINE_FIELD, "ts"));
    properties.putAll(more);
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return TableConfig.parse(text.toString().getBytes(StandardCharsets.UTF_8), "somewhere");
  }

  @ParameterizedTest
  @CsvSource({
    "DefaultHoodieRecordPayload, EVENT_TIME, NOTHING",
    "EventTimeAvroPayload, EVENT_TIME, NOTHING",
    "OverwriteWithLatestAvroPayload, COMMIT_TIME, NOTHING",
    "OverwriteNonDefaultsWithLatestAvroPayload, COMMIT_TIME, DEFAULTS",
    "PartialUpdateAvroPayload, EVENT_TIME, NULLS",
    "FirstValueAvroPayload, EVENT_TIME_FIRST, NOTHING",
    "AWSDmsAvroPayload, COMMIT_TIME, NOTHING",
    "debezium.PostgresDebeziumAvroPayload, EVENT_TIME, UNAVAILABLE",
  })
  void payloadClassesAreKnown(String payload, Order order, Fill fill) {
    MergeBehavior behavior =
        table(Map.of(TableConfig.PAYLOAD_CLASS, "org.apache.hudi.common.model." + payload))
            .mergeBehavior();
    assertThat(behavior.order()).isEqualTo(order);
    assertThat(behavior.fill()).isEqualTo(fill);
    assertThat(behavior.usesOrdering()).isEqualTo(order != Order.COMMIT_TIME);
  }

  @Test
  void versionNineSaysByPropertiesWhatIsFilledAndDeleted() {
    MergeBehavior behavior =
        table(
                Map.of(
                    TableConfig.VERSION,
                    "9",
                    TableConfig.MERGE_MODE,
                    "EVENT_TIME_ORDERING",
                    TableConfig.ORDERING_FIELDS,
                    "ts,seq",
                    TableConfig.PARTIAL_UPDATE_MODE,
                    "FILL_UNAVAILABLE",
                    "hoodie.record.merge.property.hoodie.payload.delete.field",
                    "op",
                    "hoodie.record.merge.property.hoodie.payload.delete.marker",
                    "d",
                    "hoodie.record.merge.property.hoodie.write.partial.update.unavailable.value",
                    "?"))
            .mergeBehavior();
    assertThat(behavior)
        .isEqualTo(
            new MergeBehavior(
                Order.EVENT_TIME, Fill.UNAVAILABLE, "?", List.of("ts", "seq"), "", "op", "d"));
  }

  @Test
  void modesThatNobodyKnowsAreRefused() {
    assertThatThrownBy(
            () ->
                table(Map.of(TableConfig.PARTIAL_UPDATE_MODE, "GUESS"))
                    .requireReadable("somewhere"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'GUESS'");
  }

  @Test
  void filesThatCannotBeReadAreRefused() {
    assertThatCode(() -> table(Map.of()).requireReadable("somewhere")).doesNotThrowAnyException();
    assertThatThrownBy(
            () ->
                table(Map.of("hoodie.table.base.file.format", "ORC")).requireReadable("somewhere"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("ORC");
    assertThatThrownBy(
            () -> table(Map.of("hoodie.bootstrap.base.path", "/old")).requireReadable("somewhere"))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("/old");
  }
}
