package io.hudilite.sink.config;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.TableConfig;
import java.io.Serializable;

/** A table's config on its way to the tasks. */
public final class TableProperties implements Serializable {
  private static final long serialVersionUID = 1L;

  private final byte[] properties;
  private final String location;

  /**
   * @param location base path of the table, for messages
   */
  public TableProperties(TableConfig config, String location) {
    this.properties = config.toProperties();
    this.location = requireNonNull(location, "location");
  }

  /** The config that it was made of. */
  public TableConfig config() {
    return TableConfig.parse(properties, location);
  }

  @Override
  public String toString() {
    return "config of " + location;
  }
}
