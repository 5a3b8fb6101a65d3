package io.hudilite.sink.maintenance;

import io.hudilite.core.config.HudiTableException;
import java.util.List;
import java.util.Map;

/** All operations that there are. */
public final class Operations {
  private static final List<Operation> ALL =
      List.of(
          CompactionOperations.COMPACT,
          CompactionOperations.SCHEDULE_COMPACTION,
          ClusteringOperations.CLUSTER,
          ClusteringOperations.SCHEDULE_CLUSTERING,
          HousekeepingOperations.CLEAN,
          HousekeepingOperations.ARCHIVE,
          RecoveryOperations.ROLLBACK,
          RecoveryOperations.CREATE_SAVEPOINT,
          RecoveryOperations.DELETE_SAVEPOINT,
          RecoveryOperations.RESTORE_SAVEPOINT,
          RecoveryOperations.SHOW_SAVEPOINTS,
          ShowOperations.SHOW_TIMELINE,
          ShowOperations.SHOW_FILE_SLICES,
          ShowOperations.SHOW_COMPACTIONS,
          ClusteringOperations.SHOW_CLUSTERINGS,
          StateOperations.SHOW_LEASES,
          StateOperations.EXPIRE_LEASE,
          StateOperations.DESCRIBE_TABLE,
          StateOperations.SHOW_HEALTH,
          RepairOperations.REMOVE_ORPHAN_FILES,
          RepairOperations.REPAIR_DUPLICATES);

  /** Other names: a word of SQL, that must be quoted there, for what people call it. */
  private static final Map<String, String> ALIASES =
      Map.of("rollback", RecoveryOperations.ROLLBACK.name());

  private Operations() {}

  /** In the order in which people are told of them. */
  public static List<Operation> all() {
    return ALL;
  }

  /**
   * By its name; {@code -} counts as {@code _}.
   *
   * @throws HudiTableException that lists the known ones
   */
  public static Operation of(String name) {
    String plain = name.replace('-', '_');
    String wanted = ALIASES.getOrDefault(plain, plain);
    return ALL.stream()
        .filter(operation -> operation.name().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                new HudiTableException(
                    "'%s' is no operation; known are %s"
                        .formatted(name, ALL.stream().map(Operation::name).toList())));
  }
}
