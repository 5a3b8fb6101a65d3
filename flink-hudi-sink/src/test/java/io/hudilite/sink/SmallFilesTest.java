package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.TableType;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.table.HudiTable;
import io.hudilite.sink.config.WriteOperation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Case F54: checkpoints do not add small files. What appends leave is healed by clustering. */
class SmallFilesTest {
  @RegisterExtension static final MiniClusterExtension CLUSTER = SinkJob.cluster();

  @TempDir Path folder;

  private static List<List<RowData>> twentyCheckpoints() {
    List<List<RowData>> checkpoints = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      List<RowData> rows = new ArrayList<>();
      for (int k = 0; k < 10; k++) {
        rows.add(insert("k" + i + "-" + k, "x", i, "p1"));
      }
      checkpoints.add(rows);
    }
    return checkpoints;
  }

  private static List<FileSlice> live(SinkJob job, String... partitions) throws Exception {
    HudiTable table = job.table();
    List<FileSlice> slices = new ArrayList<>();
    for (String partition : partitions) {
      slices.addAll(table.view().latestSlices(partition));
    }
    return slices;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void f54UpsertsFillTheFilesThatThereAre(int writers) throws Exception {
    SinkJob job = SinkJob.on(folder).type(TableType.COPY_ON_WRITE).parallelism(writers);
    job.run(ScriptedSource.bounded(twentyCheckpoints()));
    assertThat(live(job, "p1")).hasSizeLessThanOrEqualTo(writers);
    assertThat(job.rows()).hasSize(200);
    job.assertNothingIsPending();
  }

  @Test
  void f54BulkInsertMakesNoMoreFilesThanPartitionsTimesTasks() throws Exception {
    List<RowData> rows = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      rows.add(insert("k" + i, "x", 1, "p" + i / 1_000));
    }
    SinkJob job =
        SinkJob.on(folder)
            .type(TableType.COPY_ON_WRITE)
            .config(config -> config.operation(WriteOperation.BULK_INSERT))
            .parallelism(3);
    job.run(ScriptedSource.bounded(List.of(rows)));
    assertThat(live(job, "p0", "p1", "p2", "p3", "p4")).hasSizeLessThanOrEqualTo(15);
    assertThat(job.rows()).hasSize(5_000);
  }
}
