package io.hudilite.source.config;

import java.io.Serializable;
import java.util.function.Predicate;

/**
 * Which partitions to read, asked again at each look at the table, so that partitions created later
 * are found too. The argument is the partition path as in the folder below the base path, {@code
 * ""} for a table without partitions. Called on several threads; must have no side effects.
 */
@FunctionalInterface
public interface PartitionFilter extends Predicate<String>, Serializable {

  /** Reads every partition. */
  PartitionFilter ALL = new All();

  /** A class of its own, not a lambda: it is written into job graphs. */
  final class All implements PartitionFilter {
    private static final long serialVersionUID = 1L;

    private All() {}

    @Override
    public boolean test(String partitionPath) {
      return true;
    }

    @Override
    public String toString() {
      return "all partitions";
    }
  }
}
