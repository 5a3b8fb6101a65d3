package io.hudilite.core.config;

import java.util.Locale;
import java.util.Optional;

/**
 * How record keys and partition paths are made of columns. Source: Hudi 1.0.2 KeyGeneratorType; its
 * {@code _AVRO} twins do the same and are read as these.
 */
public enum KeyGeneratorType {
  SIMPLE("SimpleKeyGenerator"),
  COMPLEX("ComplexKeyGenerator"),
  TIMESTAMP("TimestampBasedKeyGenerator"),
  CUSTOM("CustomKeyGenerator"),
  NON_PARTITION("NonpartitionedKeyGenerator"),
  GLOBAL_DELETE("GlobalDeleteKeyGenerator");

  private final String className;

  KeyGeneratorType(String className) {
    this.className = className;
  }

  /** The class that {@code hoodie.table.keygenerator.class} names for this type. */
  public String className() {
    return "org.apache.hudi.keygen." + className;
  }

  /** Reads a value of {@code hoodie.table.keygenerator.type}. */
  public static Optional<KeyGeneratorType> ofType(String type) {
    String plain = type.toUpperCase(Locale.ROOT);
    if (plain.endsWith("_AVRO")) {
      plain = plain.substring(0, plain.length() - "_AVRO".length());
    }
    for (KeyGeneratorType candidate : values()) {
      if (candidate.name().equals(plain)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** Reads a value of {@code hoodie.table.keygenerator.class}. */
  public static Optional<KeyGeneratorType> ofClass(String name) {
    String simple = name.substring(name.lastIndexOf('.') + 1).replace("AvroKeyGen", "KeyGen");
    for (KeyGeneratorType candidate : values()) {
      if (candidate.className.equals(simple)) {
        return Optional.of(candidate);
      }
    }
    return Optional.empty();
  }

  /** What Hudi takes when a table names none. */
  static KeyGeneratorType inferred(int keyFields, int partitionFields) {
    if (partitionFields == 0) {
      return NON_PARTITION;
    }
    return keyFields <= 1 && partitionFields == 1 ? SIMPLE : COMPLEX;
  }
}
