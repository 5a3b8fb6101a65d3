package io.hudilite.source.config;

import java.io.Serializable;
import org.apache.flink.table.connector.source.DynamicFilteringData;

/**
 * Which partitions are read is known only when another part of the job has run: the partition
 * values that a join may need. Coordinator thread; the filter is asked on the I/O thread.
 */
@FunctionalInterface
public interface DynamicPartitions extends Serializable {

  /** The partitions in which rows with these values may be. A hint: more may be read. */
  PartitionFilter of(DynamicFilteringData values);
}
