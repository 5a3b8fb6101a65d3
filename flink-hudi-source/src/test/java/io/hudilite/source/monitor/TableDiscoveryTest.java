package io.hudilite.source.monitor;

import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.scan.ScanRange;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.scan.StartingPosition;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowHints;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableDiscoveryTest {
  private final InMemoryStorage memory = new InMemoryStorage();

  @Test
  void largeBaseFilesOfAStateAreSharedHoweverItIsRead() throws IOException {
    MorTable table = MorTable.create(memory, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(upsert("p1", "k1", "a", 1), upsert("p2", "k2", "a", 1));
    Compactions.compact(memory, table.clock());
    table.clock().observe(table.open().timeline().newestTime().orElseThrow());
    table.commit(upsert("p1", "k1", "b", 2));
    ReadMode stream =
        new ReadMode.Continuous(new StartingPosition.Earliest(), null, Duration.ofSeconds(1));
    for (ReadMode mode : List.of(new ReadMode.Snapshot(), stream)) {
      List<ScanSplit> splits = splits(table, mode);
      assertThat(splits)
          .as("parts of the file of p2 in a %s", mode)
          .filteredOn(split -> split.groupId().partitionPath().equals("p2"))
          .hasSizeGreaterThan(1);
      assertThat(splits)
          .as("p1 has a log file")
          .filteredOn(split -> split.groupId().partitionPath().equals("p1"))
          .hasSize(1);
    }
  }

  private List<ScanSplit> splits(MorTable table, ReadMode mode) throws IOException {
    SourceConfig config =
        new SourceConfig(
            "memory:/table",
            MorTable.ROW_TYPE,
            RowOutput.ROWS,
            PartitionFilter.ALL,
            null,
            mode,
            RangeConfig.DEFAULT.withSplitBytes(500),
            RowHints.NONE,
            RowOrder.STAGED,
            null);
    ScanRange range =
        new TableDiscovery(memory, config, table.wall(), "reader").plan(null).range().orElseThrow();
    return range.stages().stream().flatMap(List::stream).toList();
  }
}
