package io.hudilite.source.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.source.split.HudiSplit;
import io.hudilite.source.split.Stage;
import io.hudilite.source.split.TestSplits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.apache.flink.connector.base.source.reader.RecordsWithSplitIds;
import org.apache.flink.connector.base.source.reader.splitreader.SplitsAddition;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.columnar.vector.ColumnVector;
import org.apache.flink.table.data.columnar.vector.VectorizedColumnBatch;
import org.apache.flink.table.data.columnar.vector.heap.HeapLongVector;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.types.RowKind;
import org.junit.jupiter.api.Test;

class HudiSplitReaderTest {
  private static final RowType ROW_TYPE =
      RowType.of(new LogicalType[] {new BigIntType(), new VarCharType(VarCharType.MAX_LENGTH)});

  private final List<FakeRows> opened = new ArrayList<>();

  @Test
  void rowsComeInBatchesAndTheLastOneFinishesTheSplit() throws IOException {
    HudiSplitReader reader = readerOf(HudiSplitReader.BATCH_ROWS + 3, "x");
    add(reader, 0);
    RecordsWithSplitIds<RowData> first = reader.fetch();
    assertThat(first.nextSplit()).isEqualTo("0.0-0");
    assertThat(numbers(first)).hasSize(HudiSplitReader.BATCH_ROWS);
    assertThat(first.nextSplit()).isNull();
    assertThat(first.finishedSplits()).isEmpty();
    assertThat(opened.get(0).closed).isFalse();

    RecordsWithSplitIds<RowData> last = reader.fetch();
    last.nextSplit();
    assertThat(numbers(last)).containsExactly(512L, 513L, 514L);
    assertThat(last.finishedSplits()).containsExactly("0.0-0");
    assertThat(opened.get(0).closed).isTrue();
  }

  @Test
  void rowsStayValidWithTheirKindsWhenTheReaderGoesOn() throws IOException {
    HudiSplitReader reader = readerOf(3, "text");
    add(reader, 0);
    RecordsWithSplitIds<RowData> batch = reader.fetch();
    batch.nextSplit();
    List<RowData> rows = new ArrayList<>();
    for (RowData row = batch.nextRecordFromSplit();
        row != null;
        row = batch.nextRecordFromSplit()) {
      rows.add(row);
    }
    assertThat(rows).extracting(row -> row.getLong(0)).containsExactly(0L, 1L, 2L);
    assertThat(rows).extracting(row -> row.getString(1).toString()).containsOnly("text");
    assertThat(rows)
        .extracting(RowData::getRowKind)
        .containsExactly(RowKind.INSERT, RowKind.DELETE, RowKind.INSERT);
  }

  @Test
  void rowsThatWereDoneAreSkipped() throws IOException {
    HudiSplitReader reader = readerOf(10, "x");
    add(reader, 7);
    RecordsWithSplitIds<RowData> batch = reader.fetch();
    batch.nextSplit();
    assertThat(numbers(batch)).containsExactly(7L, 8L, 9L);
  }

  @Test
  void columnsAreHandedOverAsTheyAreAndSkippedByRow() throws IOException {
    HudiSplitReader reader = new HudiSplitReader(split -> new FakeColumns(3, 10), ROW_TYPE, 12);
    add(reader, 13);
    List<Long> numbers = new ArrayList<>();
    boolean finished = false;
    while (!finished) {
      RecordsWithSplitIds<RowData> batch = reader.fetch();
      batch.nextSplit();
      numbers.addAll(numbers(batch));
      finished = !batch.finishedSplits().isEmpty();
    }
    assertThat(numbers).startsWith(13L).hasSize(12).endsWith(24L);
  }

  /** Batches of one number column. */
  private static final class FakeColumns implements RowReader {
    private final int batches;
    private final int rows;
    private int given;

    FakeColumns(int batches, int rows) {
      this.batches = batches;
      this.rows = rows;
    }

    @Override
    public VectorizedColumnBatch nextBatch() {
      if (given == batches) {
        return null;
      }
      HeapLongVector vector = new HeapLongVector(rows);
      for (int i = 0; i < rows; i++) {
        vector.setLong(i, (long) given * rows + i);
      }
      given++;
      VectorizedColumnBatch batch = new VectorizedColumnBatch(new ColumnVector[] {vector});
      batch.setNumRows(rows);
      return batch;
    }

    @Override
    public RowData next() {
      return null;
    }

    @Override
    public void close() {}
  }

  @Test
  void splitThatIsDoneToItsLastRowFinishesWithoutRows() throws IOException {
    HudiSplitReader reader = readerOf(10, "x");
    add(reader, 10);
    RecordsWithSplitIds<RowData> batch = reader.fetch();
    assertThat(batch.nextSplit()).isEqualTo("0.0-0");
    assertThat(batch.nextRecordFromSplit()).isNull();
    assertThat(batch.finishedSplits()).containsExactly("0.0-0");
  }

  @Test
  void splitWithFewerRowsThanWereDoneIsAnError() {
    HudiSplitReader reader = readerOf(5, "x");
    add(reader, 6);
    assertThatThrownBy(reader::fetch)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("6 rows were read")
        .hasMessageContaining("only 5");
  }

  @Test
  void largeRowsMakeSmallBatches() throws IOException {
    HudiSplitReader reader = readerOf(10, "x".repeat(HudiSplitReader.BATCH_BYTES / 3));
    add(reader, 0);
    RecordsWithSplitIds<RowData> batch = reader.fetch();
    batch.nextSplit();
    assertThat(numbers(batch)).hasSize(3);
  }

  @Property(tries = 50)
  void limitGivesSoManyRowsOfWhicheverSplitsAndFinishesAll(
      @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 1_500) Integer> sizes,
      @ForAll @IntRange(max = 4_000) int limit)
      throws IOException {
    List<Integer> left = new ArrayList<>(sizes);
    HudiSplitReader reader =
        new HudiSplitReader(split -> new FakeRows(left.remove(0), "x"), ROW_TYPE, limit);
    Set<String> open = new HashSet<>();
    for (int i = 0; i < sizes.size(); i++) {
      HudiSplit split = HudiSplit.of(new Stage(0, 0), i, TestSplits.snapshot(i, 10));
      open.add(split.splitId());
      reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
    }
    int rows = 0;
    while (!open.isEmpty()) {
      RecordsWithSplitIds<RowData> batch = reader.fetch();
      batch.nextSplit();
      rows += numbers(batch).size();
      open.removeAll(batch.finishedSplits());
    }
    assertThat(rows).isEqualTo(Math.min(limit, sizes.stream().mapToInt(n -> n).sum()));
  }

  @Test
  void wakeUpCutsTheBatchShort() throws IOException {
    HudiSplitReader[] reader = new HudiSplitReader[1];
    reader[0] =
        new HudiSplitReader(
            split ->
                new FakeRows(1_000, "x") {
                  @Override
                  public RowData next() {
                    RowData row = super.next();
                    if (given == 5) {
                      reader[0].wakeUp();
                    }
                    return row;
                  }
                },
            ROW_TYPE);
    add(reader[0], 0);
    RecordsWithSplitIds<RowData> batch = reader[0].fetch();
    batch.nextSplit();
    assertThat(numbers(batch)).hasSize(5);
    assertThat(batch.finishedSplits()).isEmpty();
    RecordsWithSplitIds<RowData> next = reader[0].fetch();
    next.nextSplit();
    assertThat(numbers(next)).startsWith(5L).hasSize(HudiSplitReader.BATCH_ROWS);
  }

  @Test
  void withoutSplitsThereIsNothingToFetch() throws IOException {
    RecordsWithSplitIds<RowData> batch = readerOf(1, "x").fetch();
    assertThat(batch.nextSplit()).isNull();
    assertThat(batch.finishedSplits()).isEmpty();
  }

  @Test
  void failureNamesTheSplit() {
    HudiSplitReader reader =
        new HudiSplitReader(
            split -> {
              throw new IOException("disk on fire");
            },
            ROW_TYPE);
    add(reader, 0);
    assertThatThrownBy(reader::fetch)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("0.0-0")
        .hasMessageContaining("group-1")
        .hasMessageContaining("disk on fire");
  }

  @Test
  void whatOnlyTheUserCanMendIsNotTriedAgain() {
    HudiSplitReader reader =
        new HudiSplitReader(
            split -> {
              throw new HudiTableException("cleaned away");
            },
            ROW_TYPE);
    add(reader, 0);
    assertThatThrownBy(reader::fetch)
        .isInstanceOf(SuppressRestartsException.class)
        .hasRootCauseMessage("cleaned away");
  }

  @Test
  void closeClosesTheOpenSplit() throws IOException {
    HudiSplitReader reader = readerOf(1_000, "x");
    add(reader, 0);
    reader.fetch();
    reader.close();
    assertThat(opened.get(0).closed).isTrue();
    reader.close();
  }

  @Test
  void pausedSplitStaysOpenWhileOthersAreRead() throws IOException {
    HudiSplitReader reader = readerOf(HudiSplitReader.BATCH_ROWS + 3, "x");
    HudiSplit one = HudiSplit.of(new Stage(0, 0), 1, TestSplits.snapshot(1, 10));
    HudiSplit two = HudiSplit.of(new Stage(0, 0), 2, TestSplits.snapshot(2, 10));
    reader.handleSplitsChanges(new SplitsAddition<>(List.of(one, two)));
    assertThat(reader.fetch().nextSplit()).isEqualTo(one.splitId());
    reader.pauseOrResumeSplits(List.of(one), List.of());
    assertThat(reader.fetch().nextSplit()).isEqualTo(two.splitId());
    assertThat(opened).hasSize(2).noneMatch(rows -> rows.closed);

    reader.pauseOrResumeSplits(List.of(two), List.of(one));
    RecordsWithSplitIds<RowData> rest = reader.fetch();
    assertThat(rest.nextSplit()).isEqualTo(one.splitId());
    assertThat(numbers(rest)).containsExactly(512L, 513L, 514L);
    assertThat(rest.finishedSplits()).containsExactly(one.splitId());
    reader.close();
    assertThat(opened).allMatch(rows -> rows.closed);
  }

  @Test
  void readerWhoseSplitsAreAllPausedWaitsUntilItIsWokenUp() throws Exception {
    HudiSplitReader reader = readerOf(3, "x");
    HudiSplit split = HudiSplit.of(new Stage(0, 0), 1, TestSplits.snapshot(1, 10));
    reader.handleSplitsChanges(new SplitsAddition<>(List.of(split)));
    reader.pauseOrResumeSplits(List.of(split), List.of());
    AtomicReference<String> fetched = new AtomicReference<>("nothing");
    Thread fetcher =
        new Thread(
            () -> {
              try {
                fetched.set(reader.fetch().nextSplit());
              } catch (IOException e) {
                fetched.set(e.toString());
              }
            });
    fetcher.start();
    while (fetcher.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    reader.wakeUp();
    fetcher.join(60_000);
    assertThat(fetched.get()).isNull();
    reader.pauseOrResumeSplits(List.of(), List.of(split));
    assertThat(reader.fetch().nextSplit()).isEqualTo(split.splitId());
    reader.close();
  }

  private HudiSplitReader readerOf(int rows, String text) {
    return new HudiSplitReader(
        split -> {
          FakeRows fake = new FakeRows(rows, text);
          opened.add(fake);
          return fake;
        },
        ROW_TYPE);
  }

  private static void add(HudiSplitReader reader, long rowsDone) {
    HudiSplit split = HudiSplit.of(new Stage(0, 0), 0, TestSplits.snapshot(1, 10));
    reader.handleSplitsChanges(new SplitsAddition<>(List.of(split.withRowsDone(rowsDone))));
  }

  private static List<Long> numbers(RecordsWithSplitIds<RowData> batch) {
    List<Long> numbers = new ArrayList<>();
    for (RowData row = batch.nextRecordFromSplit();
        row != null;
        row = batch.nextRecordFromSplit()) {
      numbers.add(row.getLong(0));
    }
    return numbers;
  }

  /** Numbered rows, every second one a delete, all of them the same object. */
  private static class FakeRows implements RowReader {
    private final GenericRowData row = new GenericRowData(2);
    private final int count;
    private final StringData text;
    int given;
    boolean closed;

    FakeRows(int count, String text) {
      this.count = count;
      this.text = StringData.fromString(text);
    }

    @Override
    public RowData next() {
      if (given == count) {
        return null;
      }
      row.setField(0, (long) given);
      row.setField(1, text);
      row.setRowKind(given % 2 == 0 ? RowKind.INSERT : RowKind.DELETE);
      given++;
      return row;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
