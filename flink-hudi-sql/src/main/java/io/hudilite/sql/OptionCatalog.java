package io.hudilite.sql;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;

/**
 * Every option that Hudi's Flink connector knows, up to Hudi 1.2, and what becomes of it here, so
 * that a DDL written for Hudi can be used after a change of the connector's name, and nothing in it
 * is ignored without a word.
 */
final class OptionCatalog {
  /** Keys that begin so are handed on, not judged. */
  static final List<String> PASSED_ON = List.of("properties.", "hadoop.");

  private static final OptionCatalog INSTANCE = new OptionCatalog();

  private final OptionList list = new OptionList();
  private final Map<String, KnownOption> byKey = new LinkedHashMap<>();

  static OptionCatalog instance() {
    return INSTANCE;
  }

  private OptionCatalog() {
    TableVerdicts.addTo(list);
    ReadVerdicts.addTo(list);
    WriteVerdicts.addTo(list);
    ServiceVerdicts.addTo(list);
    WriteClientVerdicts.addTo(list);
    for (KnownOption option : list.options()) {
      put(option.key(), option);
      option.otherKeys().forEach(other -> put(other, option));
    }
  }

  private void put(String key, KnownOption option) {
    if (byKey.put(key, option) != null) {
      throw new IllegalStateException("'" + key + "' stands twice in the catalog");
    }
  }

  /** The option of this name, or of this former name. */
  Optional<KnownOption> find(String key) {
    KnownOption exact = byKey.get(key);
    if (exact != null) {
      return Optional.of(exact);
    }
    return options().stream()
        .filter(option -> option.isPrefix() && option.matches(key))
        .findFirst();
  }

  List<KnownOption> options() {
    return list.options();
  }

  /** Those options that jobs look at, with their types and defaults. */
  List<ConfigOption<?>> configOptions() {
    return list.configOptions();
  }

  /** All names, also former ones, without those that stand for many. */
  Collection<String> keys() {
    TreeSet<String> keys = new TreeSet<>(byKey.keySet());
    keys.removeIf(key -> key.endsWith("*"));
    return keys;
  }
}
