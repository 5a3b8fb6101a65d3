package io.hudilite.source.config;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.Collections;
import java.util.List;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;

/** What a source makes of the rows that it reads. */
public sealed interface RowOutput extends Serializable {

  /** The rows as they are read. */
  RowOutput ROWS = new Rows(Times.AS_STORED);

  /**
   * Type of the rows that come out.
   *
   * @param read type of the rows that are read
   */
  RowType typeOf(RowType read);

  /** What the digits of a TIMESTAMP (without time zone) in the table are. */
  enum Times {
    /** The wall clock of whoever wrote them: they come as they are. */
    AS_STORED,
    /** The wall clock of UTC: they come as that of the machine that reads, as Hudi can do it. */
    ON_THE_CLOCK_HERE
  }

  /** All columns, in the order in which they are read. */
  record Rows(Times times) implements RowOutput {
    private static final long serialVersionUID = 1L;

    public Rows {
      requireNonNull(times, "times");
    }

    @Override
    public RowType typeOf(RowType read) {
      return read;
    }
  }

  /**
   * Columns, and fields within columns; a field of a row that is null is null.
   *
   * @param type of the rows that come out
   * @param paths for each column that comes out the index of the column that is read, then that of
   *     the field within it, and so on
   */
  record Fields(RowType type, List<List<Integer>> paths, Times times) implements RowOutput {
    private static final long serialVersionUID = 1L;

    public Fields {
      requireNonNull(type, "type");
      requireNonNull(times, "times");
      paths = paths.stream().map(List::copyOf).toList();
      if (type.getFieldCount() != paths.size() || paths.stream().anyMatch(List::isEmpty)) {
        throw new IllegalArgumentException("%s by the paths %s".formatted(type, paths));
      }
    }

    @Override
    public RowType typeOf(RowType read) {
      return type;
    }
  }

  /**
   * For each split one row with the number of its rows, once for each column; nobody else may leave
   * rows out.
   */
  record Counts(int columns) implements RowOutput {
    private static final long serialVersionUID = 1L;

    @Override
    public RowType typeOf(RowType read) {
      return RowType.of(
          Collections.nCopies(columns, new BigIntType(false)).toArray(BigIntType[]::new));
    }
  }
}
