package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storages;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Fixtures;
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
import java.util.stream.Stream;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that real Hudi wrote are read as real Hudi reads them. */
final class FixtureTablesTest {

  /** Tables that are refused, each with a word of the reason that the user is told. */
  private static final Map<String, String> REFUSED =
      Map.of(
          "mor_partial_update", "partial updates",
          "cow_payload_non_default", "CUSTOM",
          "mor_payload_non_default", "CUSTOM",
          "v9_mor_payload_non_default", "partial",
          "v9_mor_partial_update_mode", "partial");

  /** Tables whose rows differ from real Hudi's by decision. */
  private static final Map<String, String> READ_OTHERWISE =
      Map.of(
          "cow_partition_values",
          "an empty partition value is read from its column, Spark takes null from the path",
          "v6_mor_metadata_table",
          "Hudi 0.15 merges log files by ts, Hudi 1.x and this reader by commit time",
          "v6_mor_pending_compaction",
          "Hudi 0.15 merges log files by ts, Hudi 1.x and this reader by commit time");

  /** Tables whose changes since their first commit cannot be compared with real Hudi's. */
  private static final Map<String, String> CHANGES_NOT_COMPARED =
      Map.of("cow_insert_overwrite", "rows of overwritten file groups are not reported as deleted");

  /** Tables whose first commits are archived, so that their changes are refused. */
  private static final Set<String> ARCHIVED =
      Set.of("cow_archived", "mor_archived", "v6_cow_archived");

  @TempDir Path folder;

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
    skipListed(name, READ_OTHERWISE);
    if (REFUSED.containsKey(name)) {
      assertThatThrownBy(() -> snapshot(open(name)))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining(REFUSED.get(name));
      return;
    }
    assertThat(snapshot(open(name)))
        .isEqualTo(RowJson.ofLines(Fixtures.text(name + ".meta.jsonl")));
  }

  @ParameterizedTest
  @MethodSource("tables")
  void readOptimizedQueryIsThatOfRealHudi(String name) throws IOException {
    skipListed(name, REFUSED);
    Assumptions.assumeTrue(
        FixtureTablesTest.class.getResource("/fixtures/" + name + ".ro.jsonl") != null,
        "a table of type copy on write has no such query");
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
  @MethodSource("tables")
  void changesFromTheStartAddUpToTheSnapshot(String name) throws IOException {
    skipListed(name, REFUSED);
    skipListed(name, READ_OTHERWISE);
    skipListed(name, CHANGES_NOT_COMPARED);
    HudiTable table = open(name);
    if (ARCHIVED.contains(name)) {
      assertThatThrownBy(
              () -> new IncrementalPlanner(path -> true).next(table, InstantTime.BEGINNING))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining("earliest");
      return;
    }
    ReadContext context = table.readContext();
    RowType wanted = AvroSchemas.withMetaColumns(table.schema().rowType());
    int key = wanted.getFieldIndex(MetaColumns.RECORD_KEY);
    int partition = wanted.getFieldIndex(MetaColumns.PARTITION_PATH);
    Map<String, String> folded = new TreeMap<>();
    IncrementalPlanner planner = new IncrementalPlanner(path -> true).atMost(1);
    InstantTime position = InstantTime.BEGINNING;
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
    List<String> sum = new ArrayList<>(folded.values());
    Collections.sort(sum);

    List<String> expected =
        new ArrayList<>(
            RowJson.ofLines(Fixtures.text(name + ".meta.jsonl")).stream()
                .map(FixtureTablesTest::withoutFileName)
                .toList());
    assertThat(sum).isEqualTo(expected);
  }

  @ParameterizedTest
  @MethodSource("tables")
  void keysOfTheIndexAreThoseOfTheSnapshot(String name) throws IOException {
    skipListed(name, REFUSED);
    skipListed(name, READ_OTHERWISE);
    HudiTable table = open(name);
    IndexScanner scanner = new IndexScanner(table.readContext());
    Map<String, String> keys = new HashMap<>();
    for (ScanSplit split : IndexScanner.planAll(table)) {
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
    assertThat(keys).isEqualTo(expected);
  }

  private static void skipListed(String name, Map<String, String> listed) {
    Assumptions.assumeFalse(listed.containsKey(name), () -> name + ": " + listed.get(name));
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
