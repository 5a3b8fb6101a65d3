package io.hudilite.source.lookup;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.storage.Storages;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import javax.annotation.Nullable;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;

/** Finds the rows of a table by the values of some of its columns, in the memory of the task. */
public final class TableLookup extends LookupFunction {
  private static final long serialVersionUID = 1L;

  private final SourceConfig config;
  private final int[] keys;
  private final Duration life;
  @Nullable private transient TableCache cache;

  /**
   * @param config of a bounded read of a state of the table
   * @param keys positions of the columns to look up by, in the rows that come out
   * @param life how old the rows may be before new commits are looked for
   */
  public TableLookup(SourceConfig config, int[] keys, Duration life) {
    this.config = requireNonNull(config, "config");
    this.keys = keys.clone();
    this.life = requireNonNull(life, "life");
  }

  @Override
  public void open(FunctionContext context) {
    cache = new TableCache(Storages.of(config.path()), config, keys, life, InstantSource.system());
  }

  /** Task thread; the rows stay as they are. */
  @Override
  public Collection<RowData> lookup(RowData key) throws IOException {
    try {
      return requireNonNull(cache, "not open").rowsOf(key);
    } catch (HudiTableException e) {
      throw new SuppressRestartsException(e); // the same again would not help
    }
  }
}
