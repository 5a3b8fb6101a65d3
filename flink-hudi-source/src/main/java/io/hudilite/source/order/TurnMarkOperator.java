package io.hudilite.source.order;

import io.hudilite.source.split.TurnMark;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.table.data.RowData;

/**
 * The operator {@code read_turns} right behind the readers of an aligned read: makes watermarks of
 * the marks between the rows, for {@link KeyOrderOperator}. The watermarks that come in are event
 * times, for the reader's own operator alone, and end here.
 */
public final class TurnMarkOperator extends AbstractStreamOperator<RowData>
    implements OneInputStreamOperator<RowData, RowData> {
  private static final long serialVersionUID = 1L;

  @Override
  public void processElement(StreamRecord<RowData> element) {
    if (TurnMark.isMark(element.getValue())) {
      output.emitWatermark(new Watermark(element.getTimestamp()));
    } else {
      output.collect(element);
    }
  }

  @Override
  public void processWatermark(Watermark mark) throws Exception {
    if (mark.getTimestamp() == Long.MAX_VALUE) { // the end of the read
      super.processWatermark(mark);
    }
  }
}
