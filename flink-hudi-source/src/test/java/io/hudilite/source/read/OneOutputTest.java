package io.hudilite.source.read;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.junit.jupiter.api.Test;

class OneOutputTest {
  private final List<String> calls = new ArrayList<>();
  private final OneOutput one = OneOutput.of(new Output());

  @Test
  void rowsOfAllSplitsMakeWatermarksTogether() {
    one.createOutputForSplit("a").collect(GenericRowData.of(1));
    one.createOutputForSplit("b").collect(GenericRowData.of(2), 7);
    assertThat(calls).containsExactly("+I(1)", "+I(2) at 7");
  }

  /** A reader reads many splits, one after the other, for months. */
  @Test
  void whatFlinkKeepsForASplitGoesWithTheSplit() {
    one.releaseOutputForSplit("a");
    assertThat(calls).containsExactly("release a");
  }

  private final class Output implements ReaderOutput<RowData> {
    @Override
    public void collect(RowData row) {
      calls.add(row.toString());
    }

    @Override
    public void collect(RowData row, long timestamp) {
      calls.add(row + " at " + timestamp);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
      calls.add(watermark.toString());
    }

    @Override
    public void markIdle() {
      calls.add("idle");
    }

    @Override
    public void markActive() {
      calls.add("active");
    }

    @Override
    public SourceOutput<RowData> createOutputForSplit(String splitId) {
      throw new AssertionError("an output of " + splitId);
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
      calls.add("release " + splitId);
    }
  }
}
