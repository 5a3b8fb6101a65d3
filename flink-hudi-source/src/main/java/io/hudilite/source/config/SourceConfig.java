package io.hudilite.source.config;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import javax.annotation.Nullable;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * What a source reads. Travels with the job.
 *
 * @param path base path of the table
 * @param rowType the wanted columns, by name, in the order of the rows; may hold meta columns
 * @param output what becomes of the rows
 * @param partitions which partitions to read
 * @param dynamicPartitions which of these, as another part of the job tells before readers ask for
 *     splits; null if none does. Only for bounded reads.
 * @param ranges how changes are read; of no meaning for other reads
 * @param hints which rows a bounded read may leave out
 * @param order of the rows of a continuous read; a bounded read has no order
 * @param watermarks of the rows of a staged read; null for none
 */
public record SourceConfig(
    String path,
    RowType rowType,
    RowOutput output,
    PartitionFilter partitions,
    @Nullable DynamicPartitions dynamicPartitions,
    ReadMode mode,
    RangeConfig ranges,
    RowHints hints,
    RowOrder order,
    @Nullable WatermarkStrategy<RowData> watermarks)
    implements Serializable {
  private static final long serialVersionUID = 3L;

  public SourceConfig {
    requireNonNull(path, "path");
    requireNonNull(rowType, "rowType");
    requireNonNull(output, "output");
    requireNonNull(partitions, "partitions");
    requireNonNull(mode, "mode");
    requireNonNull(ranges, "ranges");
    requireNonNull(hints, "hints");
    requireNonNull(order, "order");
  }

  /** Changes must be complete, whatever is done with them later. */
  public RowHints usableHints() {
    return mode.isBounded() && !(mode instanceof ReadMode.Changes) ? hints : RowHints.NONE;
  }

  /** Type of the rows that the source gives. */
  public RowType outputType() {
    return output.typeOf(rowType);
  }

  public boolean isStaged() {
    return order == RowOrder.STAGED && !mode.isBounded();
  }

  /** Whether a staged read waits for other sources, or they for it. */
  public boolean isAligned() {
    return isStaged() && watermarks != null && watermarks.getAlignmentParameters().isEnabled();
  }
}
