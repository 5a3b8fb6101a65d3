package io.hudilite.sql;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * An option of Hudi's Flink connector and what becomes of it here.
 *
 * @param key the name by which it is reported; one that ends in {@code *} stands for all keys that
 *     begin with the rest
 * @param otherKeys further names of the same thing, older ones mostly
 * @param harmless values that ask for nothing that is not so anyway; letter case does not count
 * @param concerns which jobs the verdict is about: a writer's option is not held against a reader
 * @param note why there is no effect, or what is possible now
 */
record KnownOption(
    String key,
    List<String> otherKeys,
    Verdict verdict,
    Values values,
    List<String> harmless,
    Concerns concerns,
    String note) {

  enum Concerns {
    WRITERS,
    READERS,
    BOTH;

    boolean apply(Concerns job) {
      return this == BOTH || job == BOTH || this == job;
    }
  }

  KnownOption {
    requireNonNull(key, "key");
    requireNonNull(verdict, "verdict");
    requireNonNull(values, "values");
    requireNonNull(concerns, "concerns");
    requireNonNull(note, "note");
    otherKeys = List.copyOf(otherKeys);
    harmless = List.copyOf(harmless);
  }

  boolean isHarmless(String value) {
    return harmless.stream().anyMatch(word -> word.equalsIgnoreCase(value.trim()));
  }

  boolean isPrefix() {
    return key.endsWith("*");
  }

  boolean matches(String given) {
    return isPrefix() ? given.startsWith(key.substring(0, key.length() - 1)) : key.equals(given);
  }
}
