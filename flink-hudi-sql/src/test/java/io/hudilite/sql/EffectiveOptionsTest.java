package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.archive.ArchiveLimits;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.sql.KnownOption.Concerns;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.util.TimeUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EffectiveOptionsTest {

  private static EffectiveOptions writing(Map<String, String> with) {
    return EffectiveOptions.of("db.orders", with, Concerns.WRITERS);
  }

  private static EffectiveOptions reading(Map<String, String> with) {
    return EffectiveOptions.of("db.orders", with, Concerns.READERS);
  }

  static Stream<KnownOption> allOptions() {
    return OptionCatalog.instance().options().stream();
  }

  static Stream<String> allKeys() {
    return OptionCatalog.instance().keys().stream();
  }

  @ParameterizedTest
  @MethodSource("allKeys")
  void misspeltKeyIsAnsweredByTheRealOne(String key) {
    String misspelt = "x" + key;
    assertThatThrownBy(() -> writing(Map.of(misspelt, "1")))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("db.orders")
        .hasMessageContaining("'" + misspelt + "' is not an option of hudi-lite")
        .hasMessageContaining("'" + key + "'");
  }

  @ParameterizedTest
  @MethodSource("allOptions")
  void wrongValueIsAnsweredByKeyValueAndRange(KnownOption option) {
    String wrong = " ?! ";
    if (option.values().allowed().test(wrong)) {
      return; // any text will do
    }
    for (String key : option.otherKeys()) {
      assertThatThrownBy(() -> writing(Map.of(key, wrong)))
          .hasMessageContaining("'" + key + "' is '" + wrong + "'; it must be ")
          .hasMessageContaining(option.values().range());
    }
    assertThatThrownBy(() -> reading(Map.of(option.key(), wrong)))
        .hasMessageContaining("'" + option.key() + "' is '" + wrong + "'; it must be ");
  }

  @ParameterizedTest
  @MethodSource("allOptions")
  void everyOptionSaysWhyItHasNoEffect(KnownOption option) {
    if (option.verdict() != Verdict.USED) {
      assertThat(option.note()).as(option.key()).endsWith(".");
    }
    option
        .harmless()
        .forEach(value -> assertThat(option.values().allowed().test(value)).as(value).isTrue());
  }

  @Test
  void defaultsOfUsedOptionsAreAllowedValues() {
    OptionCatalog.instance().configOptions().stream()
        .filter(option -> option.hasDefaultValue())
        .forEach(
            option ->
                assertThat(
                        OptionCatalog.instance()
                            .find(option.key())
                            .orElseThrow()
                            .values()
                            .allowed()
                            .test(text(option.defaultValue())))
                    .as(option.key())
                    .isTrue());
  }

  /** As it would stand in a DDL. */
  private static String text(Object value) {
    return value instanceof Duration time
        ? TimeUtils.formatWithHighestUnit(time)
        : String.valueOf(value);
  }

  @ParameterizedTest
  @CsvSource({
    "write.tasks, 0",
    "write.batch.size, 0",
    "write.batch.size, NaN",
    "read.streaming.check-interval, -1",
    "read.streaming.check-interval, 99999999999",
    "index.state.ttl, -0.5",
    "lookup.join.cache.ttl, soon",
    "read.start-commit, 2026",
    "read.start-commit, yesterday"
  })
  void valueOutOfRangeIsAnError(String key, String value) {
    assertThatThrownBy(() -> reading(Map.of(key, value)))
        .hasMessageContaining("'" + key + "' is '" + value + "'");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "earliest",
        "LATEST",
        "20261130002121",
        "20261130002121123",
        "2026-11-30T00:21:21Z",
        "2026-11-30 00:21:21"
      })
  void positionsHaveManyForms(String text) {
    assertThat(
            reading(Map.of("read.streaming.start-commit", text)).get(ReadOptions.READ_START_COMMIT))
        .isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "index.type, SIMPLE, FLINK_STATE",
    "hoodie.index.type, bloom, FLINK_STATE",
    "cdc.enabled, true, upsert stream",
    "hive_sync.enable, true, no Hive client",
    "write.utc-timezone, false, TIMESTAMP_LTZ",
    "hoodie.write.concurrency.mode, OPTIMISTIC_CONCURRENCY_CONTROL, One job"
  })
  void whatWouldChangeResultsIsRefusedWithWhatIsPossible(String key, String value, String way) {
    assertThatThrownBy(() -> writing(Map.of(key, value)))
        .hasMessageContaining("'" + key + "'='" + value + "' is not possible in this version")
        .hasMessageContaining(way);
  }

  @Test
  void writersOptionIsNotHeldAgainstReaders() {
    Map<String, String> with = Map.of("index.type", "BLOOM", "hive_sync.enabled", "true");
    assertThat(reading(with).warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "index.type, flink_state",
    "changelog.enabled, true",
    "compaction.async.enabled, false",
    "read.streaming.skip_compaction, false",
    "write.precombine, true",
    "hive_sync.db, sales"
  })
  void harmlessValueIsTakenWithoutAWord(String key, String value) {
    assertThat(writing(Map.of(key, value)).warnings()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "hoodie.write.table.version, 9, 'version 8'",
    "write.memory.segment.page.size, 65536, 'page size'",
    "hoodie.metrics.on, true, 'Flink'",
    "hoodie.write.lock.provider, org.example.Lock, 'No lock'",
    "metadata.enabled, true, 'without a metadata table'"
  })
  void whatHasNoEffectIsSaid(String key, String value, String why) {
    assertThat(writing(Map.of(key, value)).warnings())
        .singleElement()
        .asString()
        .contains("'" + key + "'='" + value + "' has no effect", why);
  }

  @Test
  void requirement79OldCleanerNamesAreSaidToBeOld() {
    assertThat(writing(Map.of("hoodie.cleaner.commits.retained", "10")).warnings())
        .anySatisfy(
            warning ->
                assertThat(warning)
                    .contains("hoodie.cleaner.commits.retained", "clean.retain_commits"));
  }

  @Test
  void requirement76RetainingOneCommitIsWarnedOf() {
    EffectiveOptions one = writing(Map.of("clean.retain_commits", "1"));
    ServiceSettings.housekeeping(one);
    assertThat(one.warnings())
        .singleElement()
        .asString()
        .contains("'clean.retain_commits'=1", "loses its files");
    EffectiveOptions six = writing(Map.of("clean.retain_commits", "6"));
    ServiceSettings.housekeeping(six);
    assertThat(six.warnings()).isEmpty();
  }

  @Test
  void requirement77TimelinesKeepMoreThanCleansRetain() {
    EffectiveOptions given =
        writing(
            Map.of(
                "hoodie.clean.commits.retained", "48",
                "hoodie.keep.min.commits", "50",
                "hoodie.keep.max.commits", "60"));
    assertThat(ServiceSettings.housekeeping(given).limits()).isEqualTo(new ArchiveLimits(50, 60));
    assertThat(given.warnings()).isEmpty();
    EffectiveOptions raised = writing(Map.of("clean.retain_commits", "48"));
    assertThat(ServiceSettings.housekeeping(raised).limits()).isEqualTo(new ArchiveLimits(58, 68));
    assertThat(raised.warnings())
        .singleElement()
        .asString()
        .contains("'clean.retain_commits'=48", "58", "68");
  }

  @Test
  void unknownHoodieKeysAreListedAsUnused() {
    List<String> warnings =
        writing(Map.of("hoodie.some.thing", "1", "hoodie.datasource.write.recordkey.feild", "id"))
            .warnings();
    assertThat(warnings)
        .singleElement()
        .asString()
        .contains("not used", "hoodie.some.thing")
        .contains("did you mean 'hoodie.datasource.write.recordkey.field'?");
  }

  @Test
  void keysOfFileSystemsPass() {
    assertThat(writing(Map.of("hadoop.fs.s3a.endpoint", "x", "properties.a", "b")).warnings())
        .isEmpty();
  }

  @Test
  void formerNamesMeanTheSame() {
    for (String key :
        List.of(
            "ordering.fields",
            "precombine.field",
            "write.precombine.field",
            "hoodie.datasource.write.precombine.field")) {
      assertThat(writing(Map.of(key, "ts")).givenNames(TableOptions.ORDERING_FIELDS))
          .containsExactly("ts");
    }
  }

  @Test
  void twoNamesWithTwoValuesClash() {
    assertThatThrownBy(() -> writing(Map.of("precombine.field", "a", "ordering.fields", "b")))
        .hasMessageContaining("'ordering.fields'='b' and 'precombine.field'='a'");
    assertThat(
            writing(Map.of("precombine.field", "a", "ordering.fields", "a"))
                .givenNames(TableOptions.ORDERING_FIELDS))
        .containsExactly("a");
  }

  @Test
  void everythingThatIsWrongIsSaidAtOnce() {
    assertThatThrownBy(
            () -> writing(Map.of("write.taks", "1", "read.tasks", "x", "cdc.enabled", "true")))
        .hasMessageContaining("write.tasks")
        .hasMessageContaining("read.tasks")
        .hasMessageContaining("cdc.enabled");
  }

  @Test
  void effectiveValuesAreShownWithTheirOrigin() {
    EffectiveOptions options = writing(Map.of("precombine.field", "ts", "path", "/data/orders"));
    options.settle("table.type", "MERGE_ON_READ", EffectiveOptions.Origin.TABLE);
    assertThat(options.describe())
        .contains("path = /data/orders (WITH clause)")
        .contains("ordering.fields (as 'precombine.field') = ts (WITH clause)")
        .contains("table.type = MERGE_ON_READ (hoodie.properties)")
        .contains("write.batch.size = 256.0 (default)")
        .doesNotContain("read.streaming.enabled", "COPY_ON_WRITE");
  }
}
