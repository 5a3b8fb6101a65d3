package io.hudilite.sink.write;

import static io.hudilite.sink.write.FlusherTable.ROW_TYPE;
import static io.hudilite.sink.write.FlusherTable.changes;
import static io.hudilite.sink.write.FlusherTable.newTable;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.timeline.WriteStat;
import io.hudilite.core.write.RowFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are added whatever their keys. */
class AppendFlusherTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void partitionMayHaveSeveralGroups(boolean isSpilled) throws IOException {
    Storage storage = newTable();
    try (AppendFlusher flusher =
        new AppendFlusher(
            storage,
            new RowFormat(storage, ROW_TYPE, "t", BaseFileSettings.DEFAULT, 1 << 20),
            new WriterName(0, 1, 0),
            1 << 20,
            GroupBuffer.Order.ARRIVAL,
            isSpilled ? folder : null)) {
      flusher.begin(new InstantTime("20260101000000000"));
      List<WriteStat> stats =
          new ArrayList<>(flusher.flush(List.of(changes(1, "+ a x 1"), changes(2, "+ b x 1"))));
      stats.addAll(flusher.finish(List.of()));
      assertThat(stats.stream().mapToLong(WriteStat::numWrites).sum()).isEqualTo(2);
    }
  }
}
