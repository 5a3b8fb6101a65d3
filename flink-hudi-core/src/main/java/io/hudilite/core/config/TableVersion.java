package io.hudilite.core.config;

import java.util.Arrays;
import java.util.Optional;

/** The table versions that can be read here. Source: hoodie.table.version of Hudi 0.14 to 1.2. */
public enum TableVersion {
  /** Hudi 0.14 and 0.15. */
  SIX(6, 1),
  /** Hudi 1.0; also read and written by 1.1 and 1.2. The one that is written here. */
  EIGHT(8, 2),
  /** Hudi 1.1 and 1.2. */
  NINE(9, 2);

  private final int number;
  private final int layoutVersion;

  TableVersion(int number, int layoutVersion) {
    this.number = number;
    this.layoutVersion = layoutVersion;
  }

  public int number() {
    return number;
  }

  /** Value of {@code hoodie.timeline.layout.version}: 1 is the timeline in {@code .hoodie}. */
  public int layoutVersion() {
    return layoutVersion;
  }

  static Optional<TableVersion> ofNumber(int number) {
    return Arrays.stream(values()).filter(version -> version.number == number).findFirst();
  }
}
