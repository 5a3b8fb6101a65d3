package io.hudilite.oracle;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Arguments, taken one by one; {@link #end} says that all of them were known. */
final class Args {

  /** A command line that makes no sense. */
  static final class Misuse extends RuntimeException {
    Misuse(String message) {
      super(message);
    }
  }

  private final List<String> rest;

  Args(List<String> argv) {
    rest = new ArrayList<>(argv);
  }

  String word(String name) {
    if (rest.isEmpty() || rest.get(0).startsWith("--")) {
      throw new Misuse(name + " is missing");
    }
    return rest.remove(0);
  }

  /** A table's folder; Hudi wants it absolute. A word with a scheme stays as it is. */
  String path(String name) {
    String path = word(name);
    return path.contains(":/") ? path : Path.of(path).toAbsolutePath().normalize().toString();
  }

  boolean flag(String name) {
    return rest.remove(name);
  }

  Optional<String> option(String name) {
    int at = rest.indexOf(name);
    if (at < 0) {
      return Optional.empty();
    }
    if (at + 1 == rest.size()) {
      throw new Misuse(name + " needs a value");
    }
    rest.remove(at);
    return Optional.of(rest.remove(at));
  }

  List<String> options(String name) {
    List<String> all = new ArrayList<>();
    for (Optional<String> o = option(name); o.isPresent(); o = option(name)) {
      all.add(o.get());
    }
    return all;
  }

  void end() {
    if (!rest.isEmpty()) {
      throw new Misuse("not understood: " + String.join(" ", rest));
    }
  }
}
