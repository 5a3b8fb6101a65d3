package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a log file: {@code .<fileId>_<instant>.log.<version>_<writeToken>}. The instant is the
 * requested time of the delta commit that wrote the file in table version 8, and the base instant
 * of its slice in version 6. Names order as the files are to be read.
 *
 * @param version counts the files of one instant and file group from 1
 */
public record LogFileName(FileId fileId, InstantTime instant, int version, String writeToken)
    implements Comparable<LogFileName> {
  private static final Pattern FORM =
      Pattern.compile("\\.([^_.]+)_(\\d{14,17})\\.log\\.([1-9]\\d{0,8})(?:_(\\d+-\\d+-\\d+))?");
  private static final Comparator<LogFileName> ORDER =
      Comparator.comparing(LogFileName::instant)
          .thenComparingInt(LogFileName::version)
          .thenComparing(LogFileName::writeToken);

  public LogFileName {
    requireNonNull(fileId, "fileId");
    requireNonNull(instant, "instant");
    requireNonNull(writeToken, "writeToken");
    if (version < 1) {
      throw new IllegalArgumentException("Log file versions start at 1, got " + version);
    }
  }

  /**
   * Empty for any other kind of file: a partition also holds base files, markers and change files
   * ({@code .cdc}). A missing write token is {@code ""}.
   */
  public static Optional<LogFileName> parse(String name) {
    Matcher matcher = FORM.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new LogFileName(
            new FileId(matcher.group(1)),
            new InstantTime(matcher.group(2)),
            Integer.parseInt(matcher.group(3)),
            matcher.group(4) == null ? "" : matcher.group(4)));
  }

  @Override
  public int compareTo(LogFileName other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return "."
        + fileId
        + "_"
        + instant
        + ".log."
        + version
        + (writeToken.isEmpty() ? "" : "_" + writeToken);
  }
}
