package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.Timeline;
import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps in the table which partitions may have something to cluster, so that whoever plans next, in
 * another process, looks at what has changed since, and not at all partitions. One small file for
 * each strategy, of which the newest counts; what is missing, torn or too old is as if nothing were
 * known. Hudi does not look at it.
 *
 * <pre>
 * .hoodie/.hudi-lite/settled/hash of the strategy
 *   completed &lt;time&gt;      a write that is taken into account
 *   pending &lt;time&gt;        a write that was under way then
 *   unsettled &lt;path&gt;      partition, URL-encoded
 *   end
 * </pre>
 */
final class ClusteringMemory {
  private static final Logger LOG = LoggerFactory.getLogger(ClusteringMemory.class);
  private static final String FOLDER = ".hoodie/.hudi-lite/settled";
  private static final String COMPLETED = "completed ";
  private static final String PENDING = "pending ";
  private static final String UNSETTLED = "unsettled ";
  private static final String END = "end";

  private final String path;

  ClusteringMemory(ClusteringStrategy strategy) {
    byte[] text = strategy.toString().getBytes(StandardCharsets.UTF_8);
    this.path = FOLDER + "/" + UUID.nameUUIDFromBytes(text);
  }

  /**
   * What is known.
   *
   * @param seen requested times of the completed writes that are taken into account
   * @param pending requested times of the writes that were under way
   * @param unsettled partitions that may have something to cluster
   */
  record Known(Set<InstantTime> seen, Set<InstantTime> pending, Set<String> unsettled) {
    Known {
      requireNonNull(seen, "seen");
      requireNonNull(pending, "pending");
      requireNonNull(unsettled, "unsettled");
    }

    static Known of(Timeline timeline, Set<String> unsettled) {
      Set<InstantTime> seen = new TreeSet<>();
      timeline.completedWrites().forEach(write -> seen.add(write.requestedTime()));
      Set<InstantTime> pending = new TreeSet<>();
      timeline.pendingWrites().forEach(write -> pending.add(write.requestedTime()));
      return new Known(seen, pending, new TreeSet<>(unsettled));
    }

    /**
     * Whether the active timeline tells all that came since: writes leave it from the oldest on, so
     * nothing has left it unseen if its oldest one is known. And nothing was taken back.
     */
    boolean holdsFor(Timeline timeline) {
      Optional<InstantTime> oldest =
          timeline.completedWrites().stream()
              .map(Instant.Completed::requestedTime)
              .min(InstantTime::compareTo);
      if (oldest.isEmpty() || !seen.contains(oldest.get())) {
        return false;
      }
      return seen.stream()
              .noneMatch(
                  time -> !time.isBefore(oldest.get()) && timeline.completedWrite(time).isEmpty())
          && pending.stream()
              .noneMatch(time -> time.isBefore(oldest.get()) && timeline.pending(time).isEmpty());
    }
  }

  /** Empty if nothing is known that holds for this state of the table. */
  Optional<Known> load(Storage storage, Timeline timeline) throws IOException {
    byte[] content;
    try {
      content = storage.read(path);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return decode(new String(content, StandardCharsets.UTF_8))
        .filter(known -> known.holdsFor(timeline));
  }

  /** A failure costs the next process a look at all partitions, and is no error. */
  void save(Storage storage, Known known) {
    byte[] content = encode(known).getBytes(StandardCharsets.UTF_8);
    try {
      try {
        storage.overwrite(path, content);
      } catch (NoSuchFileException e) {
        storage.createNew(path, content);
      }
    } catch (IOException e) {
      LOG.warn("{}: '{}' cannot be written", storage.location(), path, e);
    }
  }

  static String encode(Known known) {
    StringBuilder text = new StringBuilder();
    known.seen.forEach(time -> text.append(COMPLETED).append(time).append('\n'));
    known.pending.forEach(time -> text.append(PENDING).append(time).append('\n'));
    known.unsettled.forEach(
        partition ->
            text.append(UNSETTLED)
                .append(URLEncoder.encode(partition, StandardCharsets.UTF_8))
                .append('\n'));
    return text.append(END).append('\n').toString();
  }

  static Optional<Known> decode(String text) {
    Known known = new Known(new HashSet<>(), new HashSet<>(), new TreeSet<>());
    for (String line : text.split("\n", -1)) {
      if (line.equals(END)) {
        return Optional.of(known);
      }
      String value = line.substring(line.indexOf(' ') + 1);
      try {
        if (line.startsWith(COMPLETED)) {
          known.seen.add(new InstantTime(value));
        } else if (line.startsWith(PENDING)) {
          known.pending.add(new InstantTime(value));
        } else if (line.startsWith(UNSETTLED)) {
          known.unsettled.add(URLDecoder.decode(value, StandardCharsets.UTF_8));
        }
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }
    return Optional.empty();
  }
}
