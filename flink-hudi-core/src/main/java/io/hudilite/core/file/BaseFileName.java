package io.hudilite.core.file;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.timeline.InstantTime;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Name of a base file: {@code <fileId>_<writeToken>_<instant>.parquet}, where the instant is the
 * requested time of the instant that wrote it. Source: Hudi 1.0.2 FSUtils.makeBaseFileName.
 */
public record BaseFileName(FileId fileId, String writeToken, InstantTime instant) {
  public static final String EXTENSION = ".parquet";
  private static final Pattern FORM = Pattern.compile("([^_.]+)_([^_]+)_(\\d{14,17})\\.parquet");

  public BaseFileName {
    requireNonNull(fileId, "fileId");
    requireNonNull(writeToken, "writeToken");
    requireNonNull(instant, "instant");
  }

  /** Empty for any other kind of file. */
  public static Optional<BaseFileName> parse(String name) {
    Matcher matcher = FORM.matcher(name);
    return matcher.matches()
        ? Optional.of(
            new BaseFileName(
                new FileId(matcher.group(1)), matcher.group(2), new InstantTime(matcher.group(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return fileId + "_" + writeToken + "_" + instant + EXTENSION;
  }
}
