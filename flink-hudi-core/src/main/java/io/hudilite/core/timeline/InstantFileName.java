package io.hudilite.core.timeline;

import java.time.ZoneId;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads names of instant files. Source: Hudi 1.0.2 InstantFileNameParserV2 and ActiveTimelineV1.
 *
 * <pre>
 * version 8:  t.action.requested   t.action.inflight   t_c.action
 * version 6:  the same, but        t.action            for a completed one
 * both:       t.inflight           for a commit
 * </pre>
 */
final class InstantFileName {
  private static final Pattern FORM =
      Pattern.compile("(\\d{14,20}|\\d{1,3})(?:_(\\d{14,20}))?((?:\\.[a-z]+){1,2})");

  private InstantFileName() {}

  /**
   * Empty for files that are no instants, and for actions that are not known here.
   *
   * @param modificationMillis when the file was written: the completion time of names without one
   */
  static Optional<Instant> parse(String name, long modificationMillis, ZoneId zone) {
    Matcher matcher = FORM.matcher(name);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    InstantTime requested = new InstantTime(matcher.group(1));
    String suffix = matcher.group(3);
    if (matcher.group(2) != null) {
      return Action.ofCompletedSuffix(suffix)
          .map(
              action ->
                  new Instant.Completed(
                      requested, new InstantTime(matcher.group(2)), action, name));
    }
    if (suffix.endsWith(".requested")) {
      return Action.ofRequestedSuffix(suffix)
          .map(action -> new Instant.Requested(requested, action));
    }
    if (suffix.endsWith(".inflight")) {
      return Action.ofInflightSuffix(suffix).map(action -> new Instant.Inflight(requested, action));
    }
    return Action.ofCompletedSuffix(suffix)
        .map(
            action ->
                new Instant.Completed(
                    requested,
                    legacyCompletionTime(requested, modificationMillis, zone),
                    action,
                    name));
  }

  /** A file that was copied may be older than what it tells of. */
  private static InstantTime legacyCompletionTime(
      InstantTime requested, long modificationMillis, ZoneId zone) {
    InstantTime modified = InstantTime.ofMillis(modificationMillis, zone);
    return modified.isAfter(requested) ? modified : requested;
  }
}
