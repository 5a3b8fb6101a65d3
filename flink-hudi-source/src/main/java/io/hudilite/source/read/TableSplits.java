package io.hudilite.source.read;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.base.RowReader;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.SplitReader;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import javax.annotation.Nullable;
import org.apache.flink.table.types.logical.RowType;

/** Opens splits of a table; looks at the table itself once, when the first split is opened. */
public final class TableSplits implements SplitOpener {
  private final Storage storage;
  private final RowType wanted;
  private final RowOutput output;
  @Nullable private final ColumnCondition condition;
  @Nullable private ReadContext context;

  private TableSplits(
      Storage storage, RowType wanted, RowOutput output, @Nullable ColumnCondition condition) {
    this.output = requireNonNull(output, "output");
    this.condition = condition;
    this.storage = requireNonNull(storage, "storage");
    this.wanted = requireNonNull(wanted, "wanted");
  }

  /** What a read of this kind makes of the splits of the table. */
  public static TableSplits of(SourceConfig config, Storage storage) {
    return new TableSplits(
        storage, config.rowType(), config.output(), config.usableHints().condition());
  }

  /** The rows of the reader are valid until its next one. */
  @Override
  public RowReader open(ScanSplit split) throws IOException {
    if (context == null) {
      context = HudiTable.open(storage).readContext();
    }
    return OutputRows.of(SplitReader.open(context, split, wanted, condition), wanted, output);
  }
}
