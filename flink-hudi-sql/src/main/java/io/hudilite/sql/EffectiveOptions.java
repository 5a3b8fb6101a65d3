package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sql.KnownOption.Concerns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.factories.FactoryUtil;
import org.slf4j.Logger;

/**
 * The options of one table as they count: the {@code WITH} clause, checked against {@link
 * OptionCatalog}, then what the table says of itself, then defaults; each with its origin. Used by
 * the planning thread only.
 */
final class EffectiveOptions {
  /** Flink looks at them itself. */
  private static final Set<String> FLINKS_OWN =
      Set.of(
          "connector",
          "property-version",
          FactoryUtil.WATERMARK_EMIT_STRATEGY.key(),
          FactoryUtil.WATERMARK_ALIGNMENT_GROUP.key(),
          FactoryUtil.WATERMARK_ALIGNMENT_MAX_DRIFT.key(),
          FactoryUtil.WATERMARK_ALIGNMENT_UPDATE_INTERVAL.key(),
          FactoryUtil.SOURCE_IDLE_TIMEOUT.key());

  /** Where a value came from. */
  enum Origin {
    DDL("WITH clause"),
    COLUMNS("columns of the DDL"),
    TABLE("hoodie.properties"),
    DEFAULT("default");

    private final String text;

    Origin(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private record Given(String key, String value) {}

  private record Settled(String value, Origin origin) {}

  private final String table;
  private final Concerns job;
  private final Configuration typed = new Configuration();
  private final Map<String, Settled> settled = new TreeMap<>();
  private final List<String> warnings = new ArrayList<>();

  private EffectiveOptions(String table, Concerns job) {
    this.table = table;
    this.job = job;
  }

  /**
   * Checks the options of a {@code WITH} clause.
   *
   * @param table name for messages
   * @param job whether the table is to be read or to be written; options of the other kind are
   *     checked for their form, but not refused
   * @throws HudiTableException that lists everything that is wrong
   */
  static EffectiveOptions of(String table, Map<String, String> with, Concerns job) {
    EffectiveOptions options = new EffectiveOptions(table, job);
    OptionCatalog catalog = OptionCatalog.instance();
    List<String> problems = new ArrayList<>();
    List<String> unused = new ArrayList<>();
    Map<String, Given> byCanonicalKey = new HashMap<>();
    for (Map.Entry<String, String> entry : new TreeMap<>(with).entrySet()) {
      String key = entry.getKey();
      String value = entry.getValue();
      if (FLINKS_OWN.contains(key) || OptionCatalog.PASSED_ON.stream().anyMatch(key::startsWith)) {
        continue;
      }
      Optional<KnownOption> known = catalog.find(key);
      if (known.isEmpty()) {
        if (key.startsWith("hoodie.")) {
          unused.add(key + like(key, catalog.keys()));
        } else {
          problems.add(
              "'%s' is not an option of hudi-lite%s."
                  .formatted(
                      key,
                      NearestName.of(key, catalog.keys())
                          .map(nearest -> "; the nearest one is '" + nearest + "'")
                          .orElse("")));
        }
        continue;
      }
      options.judge(key, value, known.get(), byCanonicalKey).ifPresent(problems::add);
    }
    if (!unused.isEmpty()) {
      options.warnings.add("These keys are not used: " + String.join(", ", unused));
    }
    if (!problems.isEmpty()) {
      throw new HudiTableException(
          "The options of table %s cannot be used as they are:%n%s"
              .formatted(
                  table,
                  problems.stream()
                      .map(problem -> "  - " + problem)
                      .collect(Collectors.joining(System.lineSeparator()))));
    }
    return options;
  }

  private static String like(String key, Collection<String> keys) {
    return NearestName.closeTo(key, keys)
        .map(nearest -> " (did you mean '" + nearest + "'?)")
        .orElse("");
  }

  /** Takes the value in, or says why not. */
  private Optional<String> judge(
      String key, String value, KnownOption known, Map<String, Given> byCanonicalKey) {
    if (!known.values().allowed().test(value.trim())) {
      return Optional.of(
          "'%s' is '%s'; it must be %s.".formatted(key, value, known.values().range()));
    }
    if (!known.isPrefix()) {
      Given earlier = byCanonicalKey.put(known.key(), new Given(key, value));
      if (earlier != null && !earlier.value().equals(value)) {
        return Optional.of(
            "'%s'='%s' and '%s'='%s' are two names of one option, with different values; keep one."
                .formatted(earlier.key(), earlier.value(), key, value));
      }
    }
    switch (known.verdict()) {
      case USED, ALWAYS_SO -> settled.put(shown(key, known), new Settled(value, Origin.DDL));
      case NO_EFFECT, NOT_YET -> {
        if (!known.isHarmless(value)) {
          warnings.add("'%s'='%s' has no effect. %s".formatted(key, value, known.note()));
        }
      }
      case REFUSED -> {
        if (!known.isHarmless(value) && known.concerns().apply(job)) {
          return Optional.of(
              "'%s'='%s' is not possible in this version. %s".formatted(key, value, known.note()));
        }
      }
    }
    if (key.contains(".cleaner.")) {
      warnings.add("'%s' is an old name of '%s'".formatted(key, known.key()));
    }
    if (!known.isPrefix()) {
      typed.setString(known.key(), value.trim());
    }
    return Optional.empty();
  }

  private static String shown(String key, KnownOption known) {
    return key.equals(known.key()) ? key : known.key() + " (as '" + key + "')";
  }

  /** The value of the {@code WITH} clause, or the default, or null if there is none. */
  <T> T get(ConfigOption<T> option) {
    return typed.get(option);
  }

  /** The value of the {@code WITH} clause, whichever of its names was used. */
  <T> Optional<T> given(ConfigOption<T> option) {
    return typed.getOptional(option);
  }

  /** The comma-separated names of an option; empty if it was not given or holds none. */
  List<String> givenNames(ConfigOption<String> option) {
    return given(option).map(EffectiveOptions::names).orElse(List.of());
  }

  static List<String> names(String commaSeparated) {
    List<String> names = new ArrayList<>();
    for (String name : commaSeparated.split(",", -1)) {
      if (!name.isBlank()) {
        names.add(name.trim());
      }
    }
    return List.copyOf(names);
  }

  /** Notes what was worked out for an option, for the log. Does not change what is got. */
  void settle(String key, Object value, Origin origin) {
    settled.putIfAbsent(key, new Settled(String.valueOf(value), origin));
  }

  void warn(String warning) {
    warnings.add(warning);
  }

  List<String> warnings() {
    return List.copyOf(warnings);
  }

  String table() {
    return table;
  }

  /** Whether the table is to be written; else it is to be read. */
  boolean areForWriting() {
    return job == Concerns.WRITERS;
  }

  /** Every option that has an effect on such a job, with its value and origin, one a line. */
  String describe() {
    Map<String, Settled> all = new LinkedHashMap<>(settled);
    Set<String> named =
        settled.keySet().stream()
            .map(key -> key.contains(" (as ") ? key.substring(0, key.indexOf(" (as ")) : key)
            .collect(Collectors.toCollection(TreeSet::new));
    for (ConfigOption<?> option : OptionCatalog.instance().configOptions()) {
      boolean concerned =
          OptionCatalog.instance()
              .find(option.key())
              .map(known -> known.concerns().apply(job))
              .orElse(false);
      if (concerned && option.hasDefaultValue() && !named.contains(option.key())) {
        all.put(option.key(), new Settled(String.valueOf(option.defaultValue()), Origin.DEFAULT));
      }
    }
    return new TreeMap<>(all)
        .entrySet().stream()
            .map(
                entry ->
                    "  %s = %s (%s)"
                        .formatted(
                            entry.getKey(),
                            hidden(entry.getKey(), entry.getValue().value()),
                            entry.getValue().origin()))
            .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String hidden(String key, String value) {
    return key.contains("password") || key.contains("secret") ? "******" : value;
  }

  /** Writes the options, and all warnings in one, to the log. */
  void log(Logger log) {
    log.info(
        "Options of table {} for {}:{}{}",
        table,
        areForWriting() ? "writing" : "reading",
        System.lineSeparator(),
        describe());
    if (!warnings.isEmpty()) {
      log.warn(
          "Options of table {}:{}",
          table,
          warnings.stream()
              .map(warning -> System.lineSeparator() + "  - " + warning)
              .collect(Collectors.joining()));
    }
  }
}
