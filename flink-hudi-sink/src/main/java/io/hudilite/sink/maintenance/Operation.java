package io.hudilite.sink.maintenance;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Something that can be done to one table.
 *
 * @param name lower case, words parted by {@code _}
 * @param help one or two sentences
 * @param arguments beside the table, in the order of a call without names
 * @param result columns of the answer; an operation that found nothing to do answers with its
 *     reason
 */
public record Operation(
    String name, String help, List<Argument> arguments, List<ResultColumn> result, Body body) {
  public Operation {
    requireNonNull(name, "name");
    requireNonNull(help, "help");
    arguments = List.copyOf(arguments);
    result = List.copyOf(result);
    requireNonNull(body, "body");
  }

  /** What is done. */
  @FunctionalInterface
  public interface Body {
    /**
     * Does what the operation is for.
     *
     * @return rows of the result's columns
     * @throws io.hudilite.core.config.HudiTableException if the caller can mend it
     */
    List<Object[]> run(Call call) throws Exception;
  }

  /** By its name, or that of an option that it stands for. */
  public Optional<Argument> argument(String called) {
    return arguments.stream()
        .filter(argument -> !called.isEmpty() && argument.isCalled(called))
        .findFirst();
  }
}
