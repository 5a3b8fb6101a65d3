package io.hudilite.sink.maintenance;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What an operation wants to know.
 *
 * @param help one sentence, with the default
 * @param options of the table that give the value if the argument is not given, the first that is
 *     set; commands accept these names, too
 * @param alias another name in commands; empty for none
 */
public record Argument(
    String name,
    ValueKind kind,
    boolean isRequired,
    String help,
    List<String> options,
    String alias) {
  public Argument {
    requireNonNull(name, "name");
    requireNonNull(kind, "kind");
    requireNonNull(help, "help");
    options = List.copyOf(options);
    requireNonNull(alias, "alias");
  }

  static Argument required(String name, ValueKind kind, String help) {
    return new Argument(name, kind, true, help, List.of(), "");
  }

  static Argument optional(String name, ValueKind kind, String help, String... options) {
    return new Argument(name, kind, false, help, List.of(options), "");
  }

  /** With the name of an option of writing jobs, which says nothing for a call. */
  Argument alias(String other) {
    return new Argument(name, kind, isRequired, help, options, other);
  }

  /** Whether it is meant by this name. */
  boolean isCalled(String other) {
    return name.equals(other) || options.contains(other) || alias.equals(other);
  }
}
