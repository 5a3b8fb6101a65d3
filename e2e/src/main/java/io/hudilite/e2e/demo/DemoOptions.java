package io.hudilite.e2e.demo;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What the user asked of the demo.
 *
 * @param path where the table goes: a folder, or a URI that Flink has a file system for; empty for
 *     a temporary folder
 * @param rows how many changes the shop sends
 * @param ratePerSecond how many of them a second; 0: as fast as possible
 * @param keep whether the temporary folder stays; a folder that the user named always stays
 */
record DemoOptions(Optional<String> path, int rows, int ratePerSecond, boolean keep) {
  static final String USAGE =
      """
      usage: ./demo [--path DIR] [--rows N] [--rate N] [--keep]

        --path DIR   where the table goes: a new or empty folder, which is left there
                     (default: a temporary folder that is removed at the end)
        --rows N     how many changes are sent through Kafka (default: 20000)
        --rate N     how many of them a second; 0 is as fast as possible (default: 500)
        --keep       leave the temporary folder there, too
        --help       this text

      Exit code: 0 when the table and the aggregate equal what was sent; 1 when they do
      not, or something failed; 2 for options that make no sense.
      """;

  /** An option that makes no sense; the message says which and why. */
  static final class Misuse extends Exception {
    private static final long serialVersionUID = 1;

    Misuse(String message) {
      super(message);
    }
  }

  DemoOptions {
    requireNonNull(path, "path");
  }

  /** Empty when only help was asked for. */
  static Optional<DemoOptions> parse(String... args) throws Misuse {
    Optional<String> path = Optional.empty();
    int rows = 20_000;
    int rate = 500;
    boolean keep = false;
    for (int i = 0; i < args.length; i++) {
      String name = args[i];
      switch (name) {
        case "--path" -> path = Optional.of(value(args, ++i));
        case "--rows" -> rows = number(name, value(args, ++i), 1);
        case "--rate" -> rate = number(name, value(args, ++i), 0);
        case "--keep" -> keep = true;
        case "--help", "-h" -> {
          return Optional.empty();
        }
        default -> throw new Misuse("no such option: " + name);
      }
    }
    return Optional.of(new DemoOptions(path, rows, rate, keep));
  }

  private static String value(String[] args, int at) throws Misuse {
    if (at >= args.length || args[at].isBlank() || args[at].startsWith("--")) {
      throw new Misuse(args[at - 1] + " needs a value");
    }
    return args[at];
  }

  private static int number(String name, String text, int least) throws Misuse {
    try {
      int number = Integer.parseInt(text);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, like a number that is too small.
    }
    throw new Misuse(
        "%s needs a whole number from %d to %d, not '%s'"
            .formatted(name, least, Integer.MAX_VALUE, text));
  }
}
