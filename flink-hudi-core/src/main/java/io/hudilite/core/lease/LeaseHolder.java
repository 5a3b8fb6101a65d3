package io.hudilite.core.lease;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who holds a lease. In its file: one line {@code key=value} for each field.
 *
 * @param run id of the job start; failovers of a job have the same one
 * @param job name of the job, for people
 * @param process where the job is controlled from, and a part that no other start has
 * @param since when the lease was taken, by the holder's clock; for people, never compared
 * @param patience how long the holder may show no sign of life before it counts as dead
 */
public record LeaseHolder(String run, String job, String process, String since, Duration patience) {
  public LeaseHolder {
    requireNonNull(run, "run");
    job = oneLine(job);
    process = oneLine(process);
    requireNonNull(since, "since");
    requireNonNull(patience, "patience");
  }

  private static String oneLine(String text) {
    return text.replaceAll("\\R", " ");
  }

  byte[] encode() {
    return "run=%s%njob=%s%nprocess=%s%nsince=%s%npatience=%d%n"
        .replace("%n", "\n")
        .formatted(run, job, process, since, patience.toMillis())
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * @param source name of the file, for messages
   */
  static LeaseHolder decode(byte[] content, String source) throws IOException {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String line : new String(content, StandardCharsets.UTF_8).split("\n", -1)) {
      int equals = line.indexOf('=');
      if (equals > 0) {
        fields.put(line.substring(0, equals), line.substring(equals + 1));
      }
    }
    try {
      return new LeaseHolder(
          fields.get("run"),
          fields.get("job"),
          fields.get("process"),
          fields.get("since"),
          Duration.ofMillis(Long.parseLong(fields.get("patience"))));
    } catch (NullPointerException | NumberFormatException e) {
      throw new IOException(
          "%s does not say who writes the table; it has %s".formatted(source, fields), e);
    }
  }

  /** For messages. */
  public String toText() {
    return "job '%s' (run %s, since %s, %s)".formatted(job, run, since, process);
  }
}
