package io.hudilite.sink.config;

import io.hudilite.core.timeline.CommitMetadata;

/** What writing a row means. Option {@code write.operation}. */
public enum WriteOperation {
  /** A row replaces the row of the same key; deletes are applied. */
  UPSERT(CommitMetadata.UPSERT),
  /**
   * Rows are added in new base files, without a look at keys: two rows of one key are two rows.
   * Deletes are refused.
   */
  INSERT(CommitMetadata.INSERT),
  /**
   * As INSERT, but in copy-on-write tables rows are added to small file groups that are there,
   * whose base files are written anew with them; so there are fewer files, and less is written in
   * the same time. In merge-on-read tables the same as INSERT, as in Hudi.
   */
  INSERT_INTO_SMALL_FILES(CommitMetadata.INSERT),
  /**
   * A row is added if no row has its key, else left out: of rows with one key the first counts.
   * Deletes are refused.
   */
  INSERT_DISTINCT(CommitMetadata.INSERT),
  /**
   * As INSERT, for much at once: rows that do not fit into the memory wait in local files, so that
   * the files of the table become as large as they may.
   */
  BULK_INSERT(CommitMetadata.BULK_INSERT),
  /** As BULK_INSERT, and the rows take the place of all that is in their partitions. */
  INSERT_OVERWRITE("INSERT_OVERWRITE"),
  /** As BULK_INSERT, and the rows take the place of all that is in the table. */
  INSERT_OVERWRITE_TABLE("INSERT_OVERWRITE_TABLE");

  private final String word;

  WriteOperation(String word) {
    this.word = word;
  }

  /** The word for it in Hudi's WriteOperationType. */
  public String word() {
    return word;
  }

  /** Whether rows are added without a look at their keys. */
  public boolean appends() {
    return this != UPSERT && this != INSERT_DISTINCT;
  }

  /** Whether rows may be changed and deleted. */
  public boolean takesChanges() {
    return this == UPSERT;
  }

  /** Whether rows that do not fit into the memory wait in local files. */
  public boolean isBulk() {
    return appends() && this != INSERT && this != INSERT_INTO_SMALL_FILES;
  }

  /** Whether file groups that are there are replaced. */
  public boolean overwrites() {
    return this == INSERT_OVERWRITE || this == INSERT_OVERWRITE_TABLE;
  }
}
