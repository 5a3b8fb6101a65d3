package io.hudilite.source.config;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.apache.flink.table.types.logical.RowType;

/**
 * What a source reads. Travels with the job.
 *
 * @param path base path of the table
 * @param rowType the wanted columns, by name, in the order of the rows; may hold meta columns
 * @param partitions which partitions to read
 */
public record SourceConfig(String path, RowType rowType, PartitionFilter partitions, ReadMode mode)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  public SourceConfig {
    requireNonNull(path, "path");
    requireNonNull(rowType, "rowType");
    requireNonNull(partitions, "partitions");
    requireNonNull(mode, "mode");
  }
}
