package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.InstantTime;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

/** Reads of changes cost what the commits changed, not what the table holds. */
class CostOfChangesTest {
  private static final int PARTITIONS = 1_000;

  @Test
  void onlyFilesOfChangedGroupsAreOpened() throws IOException {
    InMemoryStorage files = new InMemoryStorage();
    MorTable table = MorTable.create(files, 1, MergeMode.EVENT_TIME_ORDERING);
    InstantTime first =
        table.commit(
            MorTable.upsert("p17", "k17", "a", 1),
            MorTable.upsert("p500", "k500", "a", 1),
            MorTable.upsert("p999", "k999", "a", 1));
    for (int i = 0; i < PARTITIONS; i++) { // of the others nothing is looked at
      files.createNew("p" + i + "/other-0_0-0-0_" + first + ".parquet", new byte[0]);
    }
    InstantTime start =
        table.commit(
            MorTable.upsert("p17", "k17", "b", 2),
            MorTable.delete("p500", "k500", 2),
            MorTable.upsert("p999", "k999", "b", 2));

    FaultyStorage counted = FaultyStorage.counting(files);
    HudiTable opened = HudiTable.open(counted);
    ScanRange range =
        new IncrementalPlanner(path -> true).first(opened, new StartingPosition.At(start));
    List<String> rows = new ArrayList<>();
    RowType wanted = AvroSchemas.withMetaColumns(MorTable.ROW_TYPE);
    for (List<ScanSplit> stage : range.stages()) {
      for (ScanSplit split : stage) {
        try (SplitReader reader = SplitReader.open(opened.readContext(), split, wanted)) {
          for (RowData row = reader.next(); row != null; row = reader.next()) {
            rows.add(row.getRowKind().shortString() + row.getString(2));
          }
        }
      }
    }

    assertThat(rows).containsExactlyInAnyOrder("+Uk17", "-Dk500", "+Uk999");
    List<String> data =
        counted.operations().stream()
            .filter(operation -> !operation.contains(".hoodie"))
            .filter(operation -> !operation.startsWith("readFully"))
            .toList();
    assertThat(data)
        .as("files that were opened or looked for outside of the timeline")
        .hasSize(3)
        .allMatch(operation -> operation.startsWith("open ") && operation.contains(".log."));
  }

  @Test
  void portionsEndWhereTheSplitsAreEnough() throws IOException {
    InMemoryStorage files = new InMemoryStorage();
    MorTable table = MorTable.create(files, 1, MergeMode.EVENT_TIME_ORDERING);
    for (int i = 0; i < 6; i++) {
      table.commit(MorTable.upsert("a" + i, "k", "x", i), MorTable.upsert("b" + i, "k", "x", i));
    }
    HudiTable opened = HudiTable.open(files);
    assertThat(portions(opened, new IncrementalPlanner(path -> true))).containsExactly(12);
    assertThat(portions(opened, new IncrementalPlanner(path -> true).atMost(4)))
        .containsExactly(8, 4);
    assertThat(portions(opened, new IncrementalPlanner(path -> true).atMostSplits(5)))
        .containsExactly(4, 4, 4);
    assertThat(portions(opened, new IncrementalPlanner(path -> true).atMostSplits(1)))
        .as("one commit in any case")
        .containsExactly(2, 2, 2, 2, 2, 2);
  }

  private static List<Integer> portions(HudiTable table, IncrementalPlanner planner)
      throws IOException {
    List<Integer> splits = new ArrayList<>();
    InstantTime position = InstantTime.BEGINNING;
    for (var range = planner.next(table, position);
        range.isPresent();
        range = planner.next(table, position)) {
      splits.add(range.get().stages().stream().mapToInt(List::size).sum());
      position = range.get().end();
    }
    return splits;
  }
}
