package io.hudilite.core.config;

import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.util.Optional;

/** Finds and creates {@code .hoodie/hoodie.properties}; never changes it afterwards. */
public final class TableConfigStore {
  public static final String PATH = ".hoodie/hoodie.properties";

  private TableConfigStore() {}

  /**
   * @throws HudiTableException if there is no table, or one that cannot be read here
   */
  public static TableConfig load(Storage storage) throws IOException {
    throw new UnsupportedOperationException();
  }

  /** Empty if there is no table at the base path. */
  public static Optional<TableConfig> find(Storage storage) throws IOException {
    throw new UnsupportedOperationException();
  }

  /**
   * Creates the table's folders and its config. When the table exists, or two start at once, the
   * stored config is compared with the wanted one.
   *
   * @return the config that is stored
   * @throws HudiTableException if another table is there already
   */
  public static TableConfig create(Storage storage, TableConfig wanted) throws IOException {
    throw new UnsupportedOperationException();
  }
}
