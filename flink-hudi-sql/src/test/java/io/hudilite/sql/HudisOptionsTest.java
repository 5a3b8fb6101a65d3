package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sql.KnownOption.Concerns;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every option of Hudi's Flink connector, up to Hudi 1.2, with a good value, one of another type,
 * one out of range, and misspelt: what the user gets who changes nothing but the connector's name.
 */
class HudisOptionsTest {

  /** Options that Hudi has an effect for and hudi-lite none yet, or only that of the default. */
  private static final Set<String> WITHOUT_EFFECT_YET =
      Set.of(
          "cdc.enabled",
          "cdc.supplemental.logging.mode",
          "hive_sync.enabled",
          "hoodie.bucket.index.max.num.buckets",
          "hoodie.bucket.index.min.num.buckets",
          "hoodie.clustering.inline",
          "hoodie.datasource.merge.type",
          "hoodie.datasource.write.drop.partition.columns",
          "hoodie.index.bucket.engine",
          "hoodie.parquet.block.size",
          "hoodie.populate.meta.fields",
          "hoodie.schema.on.read.enable",
          "hoodie.write.concurrency.mode",
          "hoodie.write.lock.filesystem.path",
          "hoodie.write.lock.provider",
          "hoodie.write.table.version",
          "index.partition.regex",
          "index.type",
          "lookup.async",
          "lookup.async-thread-number",
          "lookup.join.cache.type",
          "lookup.join.rocksdb.path",
          "metadata.enabled",
          "partition.default_name",
          "read.cdc.from.changelog",
          "read.data.skipping.rli.keys.max.num",
          "write.buffer.memory.type",
          "write.buffer.size",
          "write.buffer.sort.enabled",
          "write.buffer.sort.keys",
          "write.buffer.type",
          "write.client.id",
          "write.index_bootstrap.tasks",
          "write.insert.partitioner.class.name",
          "write.insert.partitioner.default_parallelism_per_partition",
          "write.log.max.size",
          "write.utc-timezone");

  /** Options of what hudi-lite has no need for: Hudi's effect is there without them. */
  private static final Set<String> WITHOUT_NEED =
      Set.of(
          "hoodie.clean.max.commits",
          "hoodie.compact.inline",
          "index.bootstrap.rocksdb.path",
          "index.rli.cache.size",
          "index.rli.lookup.minibatch.size",
          "write.sort.memory");

  /**
   * @param value Hudi's default, or {@code -} if it has none
   * @param verdict of the project's list of options: KEEP, KEEP≠ (stricter), ALIAS, or DROP
   */
  record HudiOption(String key, List<String> others, String type, String value, String verdict) {

    String good() {
      if (!value.equals("-")) {
        return value;
      }
      return switch (type) {
        case "bool" -> "true";
        case "int", "long", "double" -> "3";
        default ->
            switch (key) {
              case "read.start-commit" -> "earliest";
              case "read.end-commit" -> "20260101000000000";
              case "hoodie.write.record.merge.mode" -> "EVENT_TIME_ORDERING";
              case "record.merger.impls" ->
                  "org.apache.hudi.client.model.EventTimeFlinkRecordMerger";
              case "hoodie.datasource.write.keygenerator.class" ->
                  "org.apache.hudi.keygen.ComplexAvroKeyGenerator";
              case "hoodie.bucket.index.partition.expressions" -> "dt=2026.*,8;.*,2";
              default -> "x";
            };
      };
    }

    List<String> wrong() {
      return switch (type) {
        case "bool" -> List.of("maybe", "1");
        case "int" -> List.of("many", "1.5", "-1", "99999999999");
        case "long" -> List.of("many", "-1", "99999999999999999999");
        case "double" -> List.of("many", "-0.1", "NaN", "Infinity");
        case "duration" -> List.of("soon", "-1 s");
        default -> List.of();
      };
    }

    List<String> names() {
      List<String> names = new ArrayList<>(others);
      names.add(0, key);
      return names;
    }
  }

  static Stream<HudiOption> hudisOptions() throws IOException {
    try (InputStream in = HudisOptionsTest.class.getResourceAsStream("/hudi-options.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.startsWith("#"))
              .map(line -> line.split(";", -1))
              .map(
                  part ->
                      new HudiOption(
                          part[0],
                          part[1].isEmpty() ? List.of() : List.of(part[1].split(" ")),
                          part[2],
                          part[3],
                          part[4]))
              .toList()
              .stream();
    }
  }

  private static EffectiveOptions options(String key, String value, Concerns job) {
    return EffectiveOptions.of("db.t", Map.of(key, value), job);
  }

  private static KnownOption known(String key) {
    return OptionCatalog.instance()
        .find(key)
        .orElseThrow(() -> new AssertionError("Nobody knows '" + key + "'"));
  }

  @ParameterizedTest
  @MethodSource("hudisOptions")
  void eachNameTakesGoodValuesAndRefusesWrongOnes(HudiOption option) {
    boolean isRead = option.key().startsWith("read.");
    Concerns job = isRead ? Concerns.READERS : Concerns.WRITERS;
    for (String name : option.names()) {
      assertThat(known(name)).as(name).isEqualTo(known(option.key()));
      assertThatCode(() -> options(name, option.good(), job)).doesNotThrowAnyException();
      for (String wrong : option.wrong()) {
        if (known(name).isPrefix()) {
          continue; // stands for keys of all types
        }
        assertThatThrownBy(() -> options(name, wrong, job))
            .isInstanceOf(HudiTableException.class)
            .hasMessageContaining("'%s' is '%s'; it must be ", name, wrong);
      }
      String misspelt = name.substring(0, name.length() - 1) + "_";
      if (!known(name).isPrefix() || !OptionCatalog.instance().find(misspelt).isPresent()) {
        requireAnswer(misspelt);
      }
    }
  }

  /** A key of Hudi's core may be there for another engine, so it is only warned of. */
  private static void requireAnswer(String misspelt) {
    if (OptionCatalog.instance().find(misspelt).isPresent()) {
      return;
    }
    if (misspelt.startsWith("hoodie.")) {
      assertThat(options(misspelt, "1", Concerns.WRITERS).warnings())
          .singleElement()
          .asString()
          .contains("not used: " + misspelt);
    } else {
      assertThatThrownBy(() -> options(misspelt, "1", Concerns.WRITERS))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining("'" + misspelt + "' is not an option of hudi-lite; the nearest");
    }
  }

  @Test
  void whatHudiDoesIsDoneButForWhatIsListed() throws IOException {
    Set<String> lacking = new TreeSet<>();
    hudisOptions()
        .forEach(
            option -> {
              boolean isDropped = option.verdict().equals("DROP");
              switch (known(option.key()).verdict()) {
                case USED, ALWAYS_SO -> {}
                case NO_EFFECT -> {
                  if (!isDropped && !WITHOUT_NEED.contains(option.key())) {
                    lacking.add(option.key());
                  }
                }
                case NOT_YET, REFUSED -> {
                  if (!isDropped) {
                    lacking.add(option.key());
                  }
                }
              }
            });
    assertThat(lacking).isEqualTo(WITHOUT_EFFECT_YET);
  }

  @Test
  void optionsThatAreDroppedNeverFailAJob() throws IOException {
    assertThat(hudisOptions().filter(option -> option.verdict().equals("DROP")))
        .hasSizeGreaterThan(30)
        .allSatisfy(
            option -> {
              if (!option.key().equals("hoodie.table.format")) { // another one is another table
                assertThat(known(option.key()).verdict()).isNotEqualTo(Verdict.REFUSED);
              }
            });
  }
}
