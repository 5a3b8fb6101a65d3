package io.hudilite.source.config;

import io.hudilite.core.base.ColumnCondition;
import java.io.Serializable;
import javax.annotation.Nullable;

/**
 * Which rows are not needed. Only hints: more rows may come, and whoever gave them must still
 * filter and count.
 *
 * @param condition rows for which it is not true are not needed; null if all are
 * @param limit so many rows of each reader are enough
 */
public record RowHints(@Nullable ColumnCondition condition, long limit) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** All rows are needed. */
  public static final RowHints NONE = new RowHints(null, Long.MAX_VALUE);

  public RowHints {
    if (limit < 0) {
      throw new IllegalArgumentException("A limit of " + limit + " rows");
    }
  }
}
