package io.hudilite.bench;

import java.util.HashMap;
import java.util.Map;

/** The flags of a run: {@code --name value}, or {@code --name} alone, which stands for true. */
final class Flags {
  private final Map<String, String> values = new HashMap<>();

  static Flags parse(String[] args) {
    Flags flags = new Flags();
    for (int i = 0; i < args.length; i++) {
      if (!args[i].startsWith("--")) {
        throw new IllegalArgumentException("Not a flag: " + args[i]);
      }
      boolean alone = i + 1 == args.length || args[i + 1].startsWith("--");
      flags.values.put(args[i].substring(2), alone ? "true" : args[++i]);
    }
    return flags;
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  boolean isOn(String name) {
    return text(name, "false").equals("true");
  }

  String text(String name, String otherwise) {
    return values.getOrDefault(name, otherwise);
  }

  /** A whole number; underscores may stand in it. */
  long number(String name, long otherwise) {
    return Long.parseLong(text(name, Long.toString(otherwise)).replace("_", ""));
  }
}
