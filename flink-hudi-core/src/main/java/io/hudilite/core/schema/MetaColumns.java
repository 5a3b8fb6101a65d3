package io.hudilite.core.schema;

import java.util.List;

/**
 * The five columns that Hudi puts before the table's own, in this order, all nullable strings.
 * Source: HoodieRecord.HOODIE_META_COLUMNS.
 */
public final class MetaColumns {
  public static final String COMMIT_TIME = "_hoodie_commit_time";
  public static final String COMMIT_SEQNO = "_hoodie_commit_seqno";
  public static final String RECORD_KEY = "_hoodie_record_key";
  public static final String PARTITION_PATH = "_hoodie_partition_path";
  public static final String FILE_NAME = "_hoodie_file_name";

  public static final List<String> NAMES =
      List.of(COMMIT_TIME, COMMIT_SEQNO, RECORD_KEY, PARTITION_PATH, FILE_NAME);

  /** How many there are. */
  public static final int COUNT = 5;

  private MetaColumns() {}

  public static boolean isMetaColumn(String name) {
    return NAMES.contains(name);
  }
}
