package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.config.TableVersion;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Fixtures;
import io.hudilite.core.timeline.Instant;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables that real Hudi wrote are read as real Hudi reads them. */
final class FixtureTablesTest {

  /** Rows that differ from real Hudi's by decision: their keys, and why. */
  private record Otherwise(Set<String> keys, String why) {}

  private static final String EMPTY_PARTITION =
      "an empty partition value is read from its column, Spark takes null from the path";
  private static final String BY_COMMIT_TIME =
      "Hudi 0.15 merges log files by ts, Hudi 1.x and this reader by commit time";

  private static final Map<String, Otherwise> SNAPSHOT_OTHERWISE =
      Map.of(
          "cow_partition_values", new Otherwise(Set.of("5"), EMPTY_PARTITION),
          "v6_mor_metadata_table", new Otherwise(Set.of("15002"), BY_COMMIT_TIME),
          "v6_mor_pending_compaction", new Otherwise(Set.of("15002"), BY_COMMIT_TIME));

  private static final String ENCODED_PARTITION =
      "an incremental query of Spark shows partition values as their paths have them";
  private static final String LOST =
      "a record that lost against an older version is no change; Hudi 1.1 does not look at it";
  private static final String NOT_FILLED =
      "columns are filled from older versions; Hudi 1.1 shows the record as it was written";

  private static final Map<String, Otherwise> INCREMENTAL_OTHERWISE =
      Map.of(
          "cow_partition_values", new Otherwise(Set.of("2", "3", "5", "7", "8"), ENCODED_PARTITION),
          "v6_mor_metadata_table", new Otherwise(Set.of("15002"), BY_COMMIT_TIME),
          "v6_mor_pending_compaction", new Otherwise(Set.of("15002"), BY_COMMIT_TIME),
          "v9_mor", new Otherwise(Set.of("15003"), LOST),
          "v9_mor_payload_default", new Otherwise(Set.of("k1"), LOST),
          "v9_mor_two_ordering_fields", new Otherwise(Set.of("2"), LOST),
          "v9_mor_partial_update_mode", new Otherwise(Set.of("k1"), NOT_FILLED),
          "v9_mor_payload_non_default", new Otherwise(Set.of("k1", "k2"), NOT_FILLED));

  private static final Map<String, Otherwise> SUM_OF_CHANGES_OTHERWISE =
      Map.of(
          "cow_partition_values", SNAPSHOT_OTHERWISE.get("cow_partition_values"),
          "v6_mor_metadata_table", SNAPSHOT_OTHERWISE.get("v6_mor_metadata_table"),
          "v6_mor_pending_compaction", SNAPSHOT_OTHERWISE.get("v6_mor_pending_compaction"));

  /** Hudi 1.0.2 could not read its own table; the rows are those of Hudi 1.2.0. */
  private static final String READ_BY_NEWER = "mor_delete_then_insert";

  /** Tables whose first commits are archived, so that their changes are refused. */
  private static final Set<String> ARCHIVED =
      Set.of("cow_archived", "mor_archived", "v6_cow_archived");

  @TempDir Path folder;

  static Stream<String> tablesOfBothKindsOfFiles() throws IOException, URISyntaxException {
    return tables()
        .filter(
            name -> FixtureTablesTest.class.getResource("/fixtures/" + name + ".ro.jsonl") != null);
  }

  static Stream<String> tablesWithAllCommits() throws IOException, URISyntaxException {
    return tables().filter(name -> !ARCHIVED.contains(name));
  }

  static Stream<String> tables() throws IOException, URISyntaxException {
    Path fixtures = Path.of(FixtureTablesTest.class.getResource("/fixtures").toURI());
    try (Stream<Path> files = Files.list(fixtures)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".tar.gz"))
          .map(name -> name.substring(0, name.length() - ".tar.gz".length()))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("tables")
  void snapshotIsThatOfRealHudi(String name) throws IOException {
    assertSame(
        snapshot(open(name)),
        Fixtures.text(name + ".meta.jsonl"),
        SNAPSHOT_OTHERWISE.get(name),
        row -> row);
  }

  /** A reader that knows the columns of the first commit only gets the same rows without others. */
  @ParameterizedTest
  @ValueSource(strings = {"cow_schema_evolution", "mor_schema_evolution"})
  void f44ColumnAddedAtTheEnd(String name) throws IOException {
    HudiTable table = open(name);
    String first =
        table
            .timelineStore()
            .readCommit(table.timeline().completedWrites().get(0))
            .schema()
            .orElseThrow();
    List<String> known =
        AvroSchemas.withoutMetaColumns(AvroSchemas.toRowType(new Schema.Parser().parse(first)))
            .getFieldNames();
    RowType all = table.schema().rowType();
    List<RowType.RowField> fields =
        all.getFields().stream().filter(field -> known.contains(field.getName())).toList();
    assertThat(fields.size()).isBetween(1, all.getFieldCount() - 1);
    RowType few = new RowType(false, fields);
    List<String> rows = texts(table, few, few);
    assertThat(rows).isNotEmpty().isEqualTo(texts(table, all, few));
  }

  private static List<String> texts(HudiTable table, RowType read, RowType shown)
      throws IOException {
    List<RowData.FieldGetter> getters =
        shown.getFields().stream()
            .map(
                field ->
                    RowData.createFieldGetter(field.getType(), read.getFieldIndex(field.getName())))
            .toList();
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      try (SplitReader reader = SplitReader.open(table.readContext(), split, read)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          RowData now = row;
          rows.add(getters.stream().map(g -> g.getFieldOrNull(now)).toList().toString());
        }
      }
    }
    rows.sort(null);
    return rows;
  }

  /**
   * Real Hudi began each query at the completion of the table's first action, with it in version 8
   * and after it in versions 6 and 9. It knows no deletes; rows may lie in files that a compaction
   * wrote since.
   */
  @ParameterizedTest
  @MethodSource("tables")
  void incrementalQueryIsThatOfRealHudi(String name) throws IOException {
    HudiTable table = open(name);
    InstantTime first = table.timeline().completedWrites().get(0).completionTime();
    InstantTime after =
        table.config().version() == TableVersion.EIGHT && !name.equals(READ_BY_NEWER)
            ? IncrementalPlanner.justBefore(first)
            : first;
    ReadContext context = table.readContext();
    RowType wanted = AvroSchemas.withMetaColumns(table.schema().rowType());
    List<String> rows = new ArrayList<>();
    Optional<ScanRange> range =
        new IncrementalPlanner(path -> true).upsertsOnly().next(table, after);
    for (List<ScanSplit> stage : range.map(ScanRange::stages).orElse(List.of())) {
      for (ScanSplit split : stage) {
        try (SplitReader reader = SplitReader.open(context, split, wanted)) {
          for (RowData row = reader.next(); row != null; row = reader.next()) {
            assertThat(row.getRowKind()).isNotEqualTo(RowKind.DELETE);
            rows.add(RowJson.of(row, wanted));
          }
        }
      }
    }
    Collections.sort(rows);
    assertSame(
        rows,
        Fixtures.text(name + ".incr.jsonl"),
        INCREMENTAL_OTHERWISE.get(name),
        FixtureTablesTest::withoutFileName);
  }

  private static void assertSame(
      List<String> found, String expectedLines, Otherwise otherwise, UnaryOperator<String> cut)
      throws IOException {
    List<String> expected = RowJson.ofLines(expectedLines).stream().map(cut).sorted().toList();
    List<String> rows = found.stream().map(cut).sorted().toList();
    if (otherwise == null) {
      assertThat(rows).isEqualTo(expected);
      return;
    }
    Set<String> differing = new TreeSet<>();
    Stream.concat(
            rows.stream().filter(row -> !expected.contains(row)),
            expected.stream().filter(row -> !rows.contains(row)))
        .map(row -> row.replaceAll(".*" + MetaColumns.RECORD_KEY + "=([^,}]*).*", "$1"))
        .forEach(differing::add);
    assertThat(differing)
        .as("keys that are listed since %s; now other keys, or none, differ", otherwise.why())
        .isEqualTo(otherwise.keys());
  }

  @ParameterizedTest
  @MethodSource("tablesOfBothKindsOfFiles")
  void readOptimizedQueryIsThatOfRealHudi(String name) throws IOException {
    HudiTable table = open(name);
    ReadContext context = table.readContext();
    RowType wanted = table.schema().rowType();
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().readOptimized(table)) {
      rows.addAll(RowJson.of(SplitReader.open(context, split, wanted), wanted));
    }
    Collections.sort(rows);

    assertThat(rows).isEqualTo(RowJson.ofLines(Fixtures.text(name + ".ro.jsonl")));
  }

  @ParameterizedTest
  @MethodSource("tablesWithAllCommits")
  void changesFromTheStartAddUpToTheSnapshot(String name) throws IOException {
    HudiTable table = open(name);
    Map<String, String> folded = new TreeMap<>();
    fold(table, new IncrementalPlanner(path -> true).atMost(1), InstantTime.BEGINNING, folded);
    assertAddUp(name, folded);
  }

  /** A range may have a clustering or an overwrite at any place in it. */
  @ParameterizedTest
  @MethodSource("tablesWithAllCommits")
  void changesAddUpWhereverTheyAreCut(String name) throws IOException {
    HudiTable table = open(name);
    IncrementalPlanner planner = new IncrementalPlanner(path -> true);
    List<Instant.Completed> writes = table.timeline().completedWrites();
    for (int i = 0; i < writes.size(); i += Math.max(1, writes.size() / 4)) {
      Instant.Completed cut = writes.get(i);
      Map<String, String> folded = new TreeMap<>();
      InstantTime position =
          fold(table, planner.until(cut.completionTime()), InstantTime.BEGINNING, folded);
      fold(table, planner, position, folded);
      assertAddUp(name, folded);
    }
  }

  private static void assertAddUp(String name, Map<String, String> folded) throws IOException {
    assertSame(
        List.copyOf(folded.values()),
        Fixtures.text(name + ".meta.jsonl"),
        SUM_OF_CHANGES_OTHERWISE.get(name),
        FixtureTablesTest::withoutFileName);
  }

  /** Applies all changes after a position, range by range; where they end. */
  private static InstantTime fold(
      HudiTable table, IncrementalPlanner planner, InstantTime from, Map<String, String> folded)
      throws IOException {
    ReadContext context = table.readContext();
    RowType wanted = AvroSchemas.withMetaColumns(table.schema().rowType());
    int key = wanted.getFieldIndex(MetaColumns.RECORD_KEY);
    int partition = wanted.getFieldIndex(MetaColumns.PARTITION_PATH);
    InstantTime position = from;
    for (Optional<ScanRange> range = planner.next(table, position);
        range.isPresent();
        range = planner.next(table, position)) {
      position = range.get().end();
      for (List<ScanSplit> stage : range.get().stages()) {
        for (ScanSplit split : stage) {
          try (SplitReader reader = SplitReader.open(context, split, wanted)) {
            for (RowData row = reader.next(); row != null; row = reader.next()) {
              String place = row.getString(partition) + "/" + row.getString(key);
              if (row.getRowKind() == RowKind.DELETE) {
                folded.remove(place);
              } else {
                folded.put(place, withoutFileName(RowJson.of(row, wanted)));
              }
            }
          }
        }
      }
    }
    return position;
  }

  @ParameterizedTest
  @FieldSource("ARCHIVED")
  void changesThatAreArchivedAreRefused(String name) throws IOException {
    HudiTable table = open(name);
    assertThatThrownBy(
            () -> new IncrementalPlanner(path -> true).next(table, InstantTime.BEGINNING))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("earliest");
  }

  @ParameterizedTest
  @MethodSource("tables")
  void keysOfTheIndexAreThoseOfTheSnapshot(String name) throws IOException {
    HudiTable table = open(name);
    IndexScanner scanner = new IndexScanner(table.readContext());
    Map<String, String> keys = new HashMap<>();
    for (ScanSplit split : IndexScanner.planAll(table)) {
      assertThat(IndexVersions.folded(table.readContext(), split))
          .isEqualTo(IndexVersions.newest(table.readContext(), split));
      scanner.scan(
          split,
          entry -> {
            if (!entry.isDelete()) {
              keys.put(
                  entry.groupId().partitionPath()
                      + "/"
                      + new String(entry.recordKey(), java.nio.charset.StandardCharsets.UTF_8),
                  entry.instant().digits());
            }
          });
    }
    Map<String, String> expected = new HashMap<>();
    for (String line : Fixtures.text(name + ".meta.jsonl").split("\n", -1)) {
      if (!line.isBlank()) {
        JsonNode row = RowJson.parse(line);
        expected.put(
            row.get(MetaColumns.PARTITION_PATH).asText()
                + "/"
                + row.get(MetaColumns.RECORD_KEY).asText(),
            row.get(MetaColumns.COMMIT_TIME).asText());
      }
    }
    for (String key : SNAPSHOT_OTHERWISE.getOrDefault(name, new Otherwise(Set.of(), "")).keys()) {
      keys.keySet().removeIf(place -> place.endsWith("/" + key));
      expected.keySet().removeIf(place -> place.endsWith("/" + key));
    }
    assertThat(keys).isEqualTo(expected);
  }

  private HudiTable open(String name) throws IOException {
    return HudiTable.open(Storages.of(Fixtures.unpack(name, folder).toString()));
  }

  private static List<String> snapshot(HudiTable table) throws IOException {
    ReadContext context = table.readContext();
    RowType wanted = AvroSchemas.withMetaColumns(table.schema().rowType());
    List<String> rows = new ArrayList<>();
    for (ScanSplit split : new ScanPlanner().snapshot(table)) {
      rows.addAll(RowJson.of(SplitReader.open(context, split, wanted), wanted));
    }
    Collections.sort(rows);
    return rows;
  }

  /** Compaction and clustering move rows to other files; the rows stay the same. */
  private static String withoutFileName(String row) {
    return row.replaceAll(MetaColumns.FILE_NAME + "=[^,}]*", "");
  }
}
