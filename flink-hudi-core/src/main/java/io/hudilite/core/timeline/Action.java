package io.hudilite.core.timeline;

import java.util.Optional;

/**
 * What an instant does, with the suffixes of its three files: they are not regular, so they are
 * data. Source: Hudi 1.0.2 HoodieTimeline and table version 8 file names.
 */
public enum Action {
  COMMIT(".commit.requested", ".inflight", ".commit"),
  DELTA_COMMIT(".deltacommit.requested", ".deltacommit.inflight", ".deltacommit"),
  COMPACTION(".compaction.requested", ".compaction.inflight", ".commit"),
  LOG_COMPACTION(".logcompaction.requested", ".logcompaction.inflight", ".deltacommit"),
  CLUSTERING(".clustering.requested", ".clustering.inflight", ".replacecommit"),
  REPLACE_COMMIT(".replacecommit.requested", ".replacecommit.inflight", ".replacecommit"),
  CLEAN(".clean.requested", ".clean.inflight", ".clean"),
  ROLLBACK(".rollback.requested", ".rollback.inflight", ".rollback"),
  RESTORE(".restore.requested", ".restore.inflight", ".restore"),
  SAVEPOINT(".savepoint.requested", ".savepoint.inflight", ".savepoint"),
  INDEXING(".indexing.requested", ".indexing.inflight", ".indexing");

  private final String requestedSuffix;
  private final String inflightSuffix;
  private final String completedSuffix;

  Action(String requestedSuffix, String inflightSuffix, String completedSuffix) {
    this.requestedSuffix = requestedSuffix;
    this.inflightSuffix = inflightSuffix;
    this.completedSuffix = completedSuffix;
  }

  public String requestedSuffix() {
    return requestedSuffix;
  }

  public String inflightSuffix() {
    return inflightSuffix;
  }

  public String completedSuffix() {
    return completedSuffix;
  }

  /** The word for this action inside plans, such as {@code deltacommit}. */
  public String word() {
    return requestedSuffix.substring(1, requestedSuffix.length() - ".requested".length());
  }

  /** The action that a completed instant of this action is listed under: COMPACTION as COMMIT. */
  public Action completedAs() {
    return switch (this) {
      case COMPACTION -> COMMIT;
      case LOG_COMPACTION -> DELTA_COMMIT;
      case CLUSTERING -> REPLACE_COMMIT;
      case COMMIT, DELTA_COMMIT, REPLACE_COMMIT, CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING ->
          this;
    };
  }

  /** Whether the instant may add data files, so that its files count only when it is complete. */
  public boolean writesData() {
    return switch (this) {
      case COMMIT, DELTA_COMMIT, COMPACTION, LOG_COMPACTION, CLUSTERING, REPLACE_COMMIT -> true;
      case CLEAN, ROLLBACK, RESTORE, SAVEPOINT, INDEXING -> false;
    };
  }

  static Optional<Action> ofRequestedSuffix(String suffix) {
    return find(suffix, 0);
  }

  static Optional<Action> ofInflightSuffix(String suffix) {
    return find(suffix, 1);
  }

  /** The first action with this suffix of completed files: COMMIT for {@code .commit}. */
  static Optional<Action> ofCompletedSuffix(String suffix) {
    return find(suffix, 2);
  }

  private static Optional<Action> find(String suffix, int state) {
    for (Action action : values()) {
      String own =
          switch (state) {
            case 0 -> action.requestedSuffix;
            case 1 -> action.inflightSuffix;
            default -> action.completedSuffix;
          };
      if (own.equals(suffix)) {
        return Optional.of(
            action.completedAs().completedSuffix.equals(suffix) ? action.completedAs() : action);
      }
    }
    return Optional.empty();
  }
}
