package io.hudilite.e2e.oracle;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudilite.core.scan.IncrementalPlanner;
import io.hudilite.core.scan.ScanPlanner;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import javax.annotation.Nullable;
import org.apache.flink.types.RowKind;

/**
 * What real Hudi reads of a table whose history was made by a seed. Rows are as {@link TableRows}
 * has them, with meta columns.
 *
 * @param history tells how the table came to be
 * @param begin completion time where the changes begin
 * @param beginsWithTheBegin whether Hudi counts the begin of a range of changes to the range, as we
 *     do
 * @param isCleaned whether files were deleted that older changes were in
 * @param readOptimized null if it is a copy-on-write table
 */
record HistoryAnswers(
    String history,
    String begin,
    boolean beginsWithTheBegin,
    boolean isCleaned,
    List<String> snapshot,
    List<String> incremental,
    @Nullable List<String> readOptimized) {
  private static final ObjectMapper JSON = new ObjectMapper();

  HistoryAnswers {
    requireNonNull(history, "history");
    requireNonNull(begin, "begin");
    snapshot = List.copyOf(snapshot);
    incremental = List.copyOf(incremental);
    readOptimized = readOptimized == null ? null : List.copyOf(readOptimized);
  }

  static HistoryAnswers parse(String json) throws IOException {
    return JSON.readValue(json, HistoryAnswers.class);
  }

  /** Keeps the table, packed, and its answers in a folder. */
  void record(Path table, Path folder) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    String name = table.getFileName().toString();
    Files.writeString(folder.resolve(name + ".json"), JSON.writeValueAsString(this) + "\n");
    Process tar =
        new ProcessBuilder(
                "tar",
                "--format=gnu",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
                "--exclude=*.crc",
                "-czf",
                folder.resolve(name + ".tar.gz").toAbsolutePath().toString(),
                "-C",
                table.getParent().toString(),
                name)
            .inheritIO()
            .start();
    assertThat(tar.waitFor()).as("tar of %s", table).isZero();
  }

  /** Reads a table in all ways and compares with these answers. */
  void compareWith(HudiTable table) throws IOException {
    assertThat(TableRows.read(table, new ScanPlanner().snapshot(table)))
        .as("snapshot of %s", history)
        .isEqualTo(snapshot);
    if (readOptimized != null) {
      assertThat(TableRows.read(table, new ScanPlanner().readOptimized(table)))
          .as("read-optimized query of %s", history)
          .isEqualTo(readOptimized);
    }

    // Hudi 1.1 reports records that lost against older ones, too: those are not in the snapshot.
    List<String> current = withoutFileNames(snapshot);
    List<String> changed =
        withoutFileNames(incremental).stream().filter(current::contains).toList();
    InstantTime from = new InstantTime(begin);
    List<String> found = new ArrayList<>();
    new IncrementalPlanner(path -> true)
        .next(table, beginsWithTheBegin ? justBefore(from) : from)
        .ifPresent(
            range ->
                visit(
                    table,
                    range,
                    (kind, row) -> {
                      if (kind != RowKind.DELETE) {
                        found.add(row.toString());
                      }
                    }));
    assertThat(withoutFileNames(found))
        .as("changes from %s of %s", begin, history)
        .isEqualTo(changed);
    if (!isCleaned) {
      assertThat(withoutFileNames(folded(table)))
          .as("all changes, one after the other, of %s", history)
          .isEqualTo(current);
    }
  }

  private static List<String> folded(HudiTable table) throws IOException {
    Map<String, String> rows = new TreeMap<>();
    IncrementalPlanner planner = new IncrementalPlanner(path -> true).atMost(1);
    InstantTime position = InstantTime.BEGINNING;
    for (Optional<ScanRange> range = planner.next(table, position);
        range.isPresent();
        range = planner.next(table, position)) {
      position = range.get().end();
      visit(
          table,
          range.get(),
          (kind, row) -> {
            String place =
                row.get(MetaColumns.PARTITION_PATH) + "/" + row.get(MetaColumns.RECORD_KEY);
            if (kind == RowKind.DELETE) {
              rows.remove(place);
            } else {
              rows.put(place, row.toString());
            }
          });
    }
    return List.copyOf(rows.values());
  }

  private static void visit(
      HudiTable table, ScanRange range, BiConsumer<RowKind, Map<String, String>> visitor) {
    for (List<ScanSplit> stage : range.stages()) {
      try {
        TableRows.visit(table, stage, visitor);
      } catch (IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  /** Compaction and clustering move rows to other files. */
  private static List<String> withoutFileNames(List<String> rows) {
    return rows.stream()
        .map(row -> row.replaceAll(MetaColumns.FILE_NAME + "=[^,}]*", ""))
        .sorted()
        .toList();
  }

  private static InstantTime justBefore(InstantTime time) {
    return new InstantTime(Long.toString(Long.parseLong(time.digits()) - 1));
  }
}
