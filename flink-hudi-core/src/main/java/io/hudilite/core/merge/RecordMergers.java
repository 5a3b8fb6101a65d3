package io.hudilite.core.merge;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.MergeBehavior;
import io.hudilite.core.config.TableConfig;
import java.lang.reflect.InvocationTargetException;

/** Chooses the merger of a table. */
final class RecordMergers {
  private RecordMergers() {}

  static RecordMerger of(TableConfig config) {
    MergeBehavior behavior = config.mergeBehavior();
    RecordMerger order =
        switch (behavior.order()) {
          case COMMIT_TIME -> new CommitTimeMerger();
          case EVENT_TIME -> new EventTimeMerger();
          case EVENT_TIME_FIRST -> new FirstValueMerger();
          case CUSTOM -> load(behavior.customClass());
        };
    return switch (behavior.fill()) {
      case NOTHING -> order;
      case NULLS -> FillingMerger.ofNulls(order);
      case DEFAULTS -> FillingMerger.ofDefaults(order, ColumnDefaults.of(config.createSchema()));
      case UNAVAILABLE -> FillingMerger.ofText(order, behavior.unavailableValue());
    };
  }

  private static RecordMerger load(String className) {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      Class<?> found =
          Class.forName(
              className, true, loader == null ? RecordMergers.class.getClassLoader() : loader);
      return (RecordMerger) found.getConstructor().newInstance();
    } catch (ClassNotFoundException | ClassCastException | NoSuchMethodException e) {
      throw cannotMerge(className, e);
    } catch (InstantiationException | IllegalAccessException | InvocationTargetException e) {
      throw cannotMerge(className, e);
    }
  }

  private static HudiTableException cannotMerge(String className, Exception cause) {
    return new HudiTableException(
        ("The rows of the table are merged by a class of its writer: its merge mode is CUSTOM and"
                + " '%s' is '%s', which %s. Put a class of this name that implements %s, with a"
                + " public constructor without parameters, on the class path of the job; or rewrite"
                + " the table with EVENT_TIME_ORDERING or COMMIT_TIME_ORDERING.")
            .formatted(
                TableConfig.PAYLOAD_CLASS,
                className,
                cause instanceof ClassNotFoundException
                    ? "is not on the class path"
                    : cause instanceof ClassCastException
                        ? "is no merger of this library"
                        : "cannot be made (" + cause + ")",
                RecordMerger.class.getName()),
        cause);
  }
}
