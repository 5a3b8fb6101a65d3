package io.hudilite.core.compact;

import io.hudilite.core.config.HudiTableException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Which file groups come first in a plan, by the names of Hudi's compaction strategies. */
public enum PlanOrder {
  /** Most bytes of log files first: Hudi's default. */
  LOG_SIZE("LogFileSizeBasedCompactionStrategy"),
  /** Most log files first. */
  LOG_COUNT("LogFileNumBasedCompactionStrategy"),
  /** As they come, up to the bound of I/O. */
  BOUNDED_IO("BoundedIOCompactionStrategy"),
  /** Greatest partition path first: the newest day. */
  NEWEST_PARTITION("DayBasedCompactionStrategy"),
  /** All, without a bound. */
  UNBOUNDED("UnBoundedCompactionStrategy");

  private final String hudiName;

  PlanOrder(String hudiName) {
    this.hudiName = hudiName;
  }

  /** The simple name of Hudi's class. */
  public String hudiName() {
    return hudiName;
  }

  /**
   * By a class name of Hudi, with or without its package, or by the name of a constant.
   *
   * @throws HudiTableException if it is neither
   */
  public static PlanOrder of(String name) {
    String simple = name.trim().substring(name.trim().lastIndexOf('.') + 1);
    for (PlanOrder order : values()) {
      if (order.hudiName.equalsIgnoreCase(simple)
          || order.name().equals(simple.toUpperCase(Locale.ROOT))) {
        return order;
      }
    }
    List<String> known = Arrays.stream(values()).map(PlanOrder::hudiName).toList();
    throw new HudiTableException(
        "'hoodie.compaction.strategy' is '%s', which is not known here; set it to one of %s"
            .formatted(name, known));
  }
}
