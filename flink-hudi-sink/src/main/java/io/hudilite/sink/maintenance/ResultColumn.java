package io.hudilite.sink.maintenance;

import static java.util.Objects.requireNonNull;

/** A column of what an operation answers. Its values may be null. */
public record ResultColumn(String name, ValueKind kind, String help) {
  public ResultColumn {
    requireNonNull(name, "name");
    requireNonNull(kind, "kind");
    requireNonNull(help, "help");
  }

  static ResultColumn of(String name, ValueKind kind, String help) {
    return new ResultColumn(name, kind, help);
  }
}
