package io.hudilite.sql;

import io.hudilite.core.config.HudiTableException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whether a path means the same folder for each process of a job. A relative one does not: each
 * would look for it in its own working folder.
 */
public final class WholePath {
  private static final Pattern FORM =
      Pattern.compile("(?:(?<scheme>[A-Za-z][A-Za-z0-9+.-]*):)?(?://(?<host>[^/]*))?(?<rest>.*)");

  private WholePath() {}

  /**
   * Checks a path that a user gave.
   *
   * @param who the table or catalog, for messages
   * @param option the key of the path
   * @throws HudiTableException if the path is relative, or names a host on the local disk
   */
  public static void require(String who, String option, String path) {
    Matcher parts = FORM.matcher(path.trim());
    if (!parts.matches()) {
      return; // whoever opens it will say so
    }
    String host = parts.group("host");
    String rest = parts.group("rest");
    if ("file".equals(parts.group("scheme")) && host != null && !host.isEmpty()) {
      throw new HudiTableException(
          "%s: '%s'='%s' names '%s' as a host, and local files have none. Write file:///%s%s."
              .formatted(who, option, path, host, host, rest));
    }
    if (!rest.startsWith("/") && (host == null || host.isEmpty())) {
      throw new HudiTableException(
          "%s: '%s'='%s' is relative, and each process of a job would look for it in its own working folder. Write it whole, such as file:///data/orders."
              .formatted(who, option, path));
    }
  }
}
