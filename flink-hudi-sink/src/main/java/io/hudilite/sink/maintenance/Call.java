package io.hudilite.sink.maintenance;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.table.StoredOptions;
import io.hudilite.core.timeline.InstantClock;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * One call of an operation: the table, and the values of its arguments. What is not given is looked
 * for among the options that the table keeps.
 */
public final class Call {
  private final Operation operation;
  private final String path;
  private final Storage storage;
  private final Map<String, Object> values;
  private final JobRunner jobs;
  private final InstantSource wall;

  private Call(
      Operation operation,
      String path,
      Storage storage,
      Map<String, Object> values,
      JobRunner jobs,
      InstantSource wall) {
    this.operation = operation;
    this.path = path;
    this.storage = storage;
    this.values = values;
    this.jobs = requireNonNull(jobs, "jobs");
    this.wall = requireNonNull(wall, "wall");
  }

  /**
   * A call of an operation, with its arguments checked and defaults filled in.
   *
   * @param path base path of the table
   * @param given values by the names of arguments, of the class of their kind; without nulls
   * @throws HudiTableException if there is no table, or a value that is required is missing
   */
  public static Call of(
      Operation operation, String path, Map<String, ?> given, JobRunner jobs, InstantSource wall)
      throws IOException {
    Storage storage = Storages.of(path);
    Map<String, String> options = StoredOptions.load(storage).options();
    Map<String, Object> values = new HashMap<>();
    for (Argument argument : operation.arguments()) {
      Object value = given.get(argument.name());
      if (value == null) {
        value =
            argument.options().stream()
                .filter(options::containsKey)
                .findFirst()
                .map(key -> argument.kind().parse(key, options.get(key)))
                .orElse(null);
      }
      if (value != null) {
        values.put(argument.name(), value);
      } else if (argument.isRequired()) {
        throw new HudiTableException(
            "%s needs the argument '%s': %s"
                .formatted(operation.name(), argument.name(), argument.help()));
      }
    }
    return new Call(operation, path, storage, values, jobs, wall);
  }

  boolean isOf(Operation other) {
    return operation.name().equals(other.name());
  }

  /** Base path of the table, as the caller gave it. */
  String path() {
    return path;
  }

  Storage storage() {
    return storage;
  }

  InstantSource wall() {
    return wall;
  }

  /** The table as it is now. */
  HudiTable table() throws IOException {
    return HudiTable.open(storage);
  }

  /**
   * The table as it is now.
   *
   * @throws HudiTableException if it cannot be written here
   */
  HudiTable writableTable() throws IOException {
    HudiTable table = table();
    table.config().requireWritable(path);
    return table;
  }

  /** A clock whose times come after all on the timeline. */
  InstantClock clockOf(HudiTable table) {
    InstantClock clock = new InstantClock(wall, table.config().timelineZone());
    table.timeline().newestTime().ifPresent(clock::observe);
    return clock;
  }

  boolean runJob(String name, Consumer<StreamExecutionEnvironment> job) throws Exception {
    return jobs.run(name, job);
  }

  Optional<String> text(String name) {
    return value(name, String.class);
  }

  int integer(String name, int whenAbsent) {
    return value(name, Integer.class).orElse(whenAbsent);
  }

  long number(String name, long whenAbsent) {
    return value(name, Long.class).orElse(whenAbsent);
  }

  boolean flag(String name, boolean whenAbsent) {
    return value(name, Boolean.class).orElse(whenAbsent);
  }

  /** An argument that is an instant time. */
  Optional<InstantTime> instant(String name) {
    return text(name)
        .map(
            digits -> {
              try {
                return new InstantTime(digits.trim());
              } catch (IllegalArgumentException e) {
                throw new HudiTableException(
                    "'%s' is '%s', which is no instant time: it has 17 digits, yyyyMMddHHmmssSSS; show_timeline lists those of the table"
                        .formatted(name, digits),
                    e);
              }
            });
  }

  private <T> Optional<T> value(String name, Class<T> type) {
    if (operation.argument(name).isEmpty()) {
      throw new IllegalArgumentException(operation.name() + " has no argument " + name);
    }
    return Optional.ofNullable(values.get(name)).map(type::cast);
  }
}
