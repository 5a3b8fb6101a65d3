package io.hudilite.sink.assign;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileId;
import io.hudilite.sink.config.SinkConfig;
import io.hudilite.sink.record.HudiRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which file groups one of several assigners fills: its share of the small ones that are there, and
 * new ones that together with those of the others give each writer the same work.
 *
 * @param path of the table, for messages
 * @param writers parallelism of the writers
 * @param subtask number of this assigner
 * @param subtasks how many assigners there are
 */
record AssignerShare(String path, SinkConfig config, int writers, int subtask, int subtasks) {
  private static final int LOGS_SHRINK_BY = 3;

  AssignerShare {
    requireNonNull(path, "path");
    requireNonNull(config, "config");
  }

  FileGroupAllocator allocator(IndexBootstrap table) {
    int[] opened = new int[1];
    return new FileGroupAllocator(
        config.maxFileSize().getBytes(),
        Math.max(1, (writers + subtasks - 1) / subtasks),
        partition -> smallGroups(table, partition),
        () -> newId(opened[0]++));
  }

  private List<FileGroupAllocator.SmallGroup> smallGroups(IndexBootstrap table, String partition) {
    try {
      List<FileGroupAllocator.SmallGroup> all =
          table.smallGroups(partition, config.smallFileLimit().getBytes(), LOGS_SHRINK_BY).stream()
              .sorted(Comparator.comparing(FileGroupAllocator.SmallGroup::id))
              .toList();
      // Every assigner sees the same groups and takes its share.
      return IntStream.range(0, all.size())
          .filter(i -> i % subtasks == subtask)
          .mapToObj(all::get)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(
          "The file groups of partition '%s' of the table at '%s' cannot be listed"
              .formatted(partition, path),
          e);
    }
  }

  /** Ids are chosen so that the groups of all assigners together give each writer the same work. */
  private FileId newId(int turn) {
    int wanted = (subtask + turn * Math.max(1, subtasks)) % writers;
    return Stream.generate(UUID::randomUUID)
        .filter(
            id ->
                HudiRecord.writerOf(
                        id.getMostSignificantBits(), id.getLeastSignificantBits(), writers)
                    == wanted)
        .findFirst()
        .map(FileId::of)
        .orElseThrow();
  }
}
