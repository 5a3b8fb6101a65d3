package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.base.BaseFileReader;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.base.BloomFilter;
import io.hudilite.core.base.ColumnCondition;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.log.LogBlockFormat;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.ForwardingStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.storage.StoredFile;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.testkit.MorTable.Change;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** What readers ask of an object store, where each request takes its time. */
class RequestsOfReadersTest {
  private static final RowType THREE =
      RowType.of(
          new LogicalType[] {new BigIntType(), VarCharType.STRING_TYPE, new BigIntType()},
          new String[] {"first", "large", "last"});

  private final InMemoryStorage files = new InMemoryStorage();
  private final Counting storage = new Counting(files);

  @Test
  void smallSlicesTakeOneReadPerFileAndNothingElse() throws IOException {
    MorTable table = MorTable.create(files, 1, MergeMode.EVENT_TIME_ORDERING);
    table.commit(MorTable.upsert("p", "k1", "a", 1), MorTable.upsert("p", "k2", "b", 1));
    table.commit(MorTable.upsert("p", "k1", "c", 2));
    table.commit(MorTable.delete("p", "k2", 3));
    HudiTable opened = table.open();
    ScanSplit split = new ScanPlanner().snapshot(opened).get(0);
    assertThat(split.slice().logFiles()).hasSize(2);

    ReadContext context = opened.readContext();
    try (SplitReader reader =
        SplitReader.open(context.withStorage(storage), split, MorTable.ROW_TYPE)) {
      assertThat(reader.next()).isNotNull();
      assertThat(reader.next()).isNull();
    }
    assertThat(storage.others).as("requests beside reads").isEmpty();
    assertThat(storage.opened).hasSize(3).doesNotHaveDuplicates();
    assertThat(storage.reads).hasSize(3);
  }

  @Test
  void oneReadForTheFooterAndOneForColumnsThatLieTogether() throws IOException {
    long length = write(1 << 30);
    assertThat(readsOf(length, THREE)).isEqualTo(2);
    assertThat(readsOf(length, new RowType(List.of(THREE.getFields().get(0))))).isEqualTo(2);
    // Between them is more than is worth reading.
    RowType apart = new RowType(List.of(THREE.getFields().get(0), THREE.getFields().get(2)));
    assertThat(readsOf(length, apart)).isBetween(2, 3);
    assertThat(storage.reads.stream().mapToLong(Long::longValue).sum()).isLessThan(length / 2);
    assertThat(readsOf(length, new RowType(List.of()))).as("to count rows").isEqualTo(1);
  }

  @Test
  void pagesOfAFilterAreReadTogether() throws IOException {
    long length = write(1 << 30);
    storage.clear();
    try (BaseFileReader reader = BaseFileReader.open(storage, "f.parquet", length, THREE)) {
      reader.keepOnly(
          new ColumnCondition.Comparison("first", ColumnCondition.Operator.EQUAL, 7_000L));
      int rows = 0;
      while (reader.next() != null) {
        rows++;
      }
      assertThat(rows).isBetween(1, 6_000);
    }
    assertThat(storage.reads.size()).as("end of file, pages").isLessThanOrEqualTo(4);
    assertThat(storage.reads.stream().mapToLong(Long::longValue).sum()).isLessThan(length / 2);
  }

  @Test
  void oneColumnCostsWhatItsBytesCostHoweverLargeTheFilterOfKeys() throws IOException {
    RowType keyed =
        RowType.of(
            new LogicalType[] {VarCharType.STRING_TYPE, new BigIntType()},
            new String[] {MetaColumns.RECORD_KEY, "n"});
    BaseFileWriter writer =
        BaseFileWriter.create(files, "keys.parquet", keyed, "{}", BaseFileSettings.DEFAULT);
    int rows = 60_000;
    for (long i = 0; i < rows; i++) {
      writer.write(GenericRowData.of(StringData.fromString("key" + i), i * 0x9E3779B97F4A7C15L));
    }
    writer.close();
    RowType wanted = new RowType(List.of(keyed.getFields().get(1)));
    try (BaseFileReader reader =
        BaseFileReader.open(storage, "keys.parquet", writer.fileSizeBytes(), wanted)) {
      int read = 0;
      while (reader.next() != null) {
        read++;
      }
      assertThat(read).isEqualTo(rows);
      assertThat(storage.reads.size()).as("end, begin of the footer, column").isEqualTo(3);
      long ofColumn = Long.BYTES * rows;
      assertThat(bytesRead()).isBetween(ofColumn, ofColumn + (3 << 16));

      assertThat(reader.minRecordKey()).contains("key0");
      BloomFilter filter = reader.bloomFilter().orElseThrow();
      assertThat(bytesRead()).as("the filter is read now").isGreaterThan(ofColumn + (5 << 16));
      assertThat(filter.mightContain("key" + (rows - 1))).isTrue();
      assertThat(filter.mightContain("another")).isFalse();
    }
  }

  @Test
  void oneColumnOfALogFileTakesOneReadAndOneForEachBlockBesideThoseOfColumns() throws IOException {
    MorTable table = MorTable.create(files, 1, MergeMode.EVENT_TIME_ORDERING);
    table.blocks(LogBlockFormat.PARQUET);
    List<Change> changes = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      changes.add(MorTable.upsert("p", "k" + i, Long.toHexString(random.nextLong()), i));
    }
    table.commit(MorTable.upsert("p", "k0", "a", 0));
    table.commit(changes.toArray(Change[]::new));
    HudiTable opened = table.open();
    ScanSplit split = new ScanPlanner().snapshot(opened).get(0);
    long length = split.slice().logFiles().get(0).lengthBytes();
    assertThat(length).as("more than its ends").isGreaterThan(5 << 16);

    ReadContext context = opened.readContext().withStorage(storage);
    int key = MorTable.ROW_TYPE.getFieldIndex("id");
    RowType wanted = new RowType(List.of(MorTable.ROW_TYPE.getFields().get(key)));
    try (SplitReader reader = SplitReader.open(context, split, wanted)) {
      while (reader.next() != null) {}
    }
    assertThat(storage.reads.size())
        .as("base file, begin of the log, three blocks of an end and two places")
        .isLessThanOrEqualTo(2 + 3 * 3);
    assertThat(bytesRead()).isLessThan(length * 2 / 3);
  }

  private long bytesRead() {
    return storage.reads.stream().mapToLong(Long::longValue).sum();
  }

  private int readsOf(long length, RowType wanted) throws IOException {
    storage.clear();
    try (BaseFileReader reader = BaseFileReader.open(storage, "f.parquet", length, wanted)) {
      int rows = 0;
      while (reader.next() != null) {
        rows++;
      }
      assertThat(rows).isEqualTo(20_000);
    }
    assertThat(storage.others).isEmpty();
    assertThat(storage.opened).hasSize(1);
    return storage.reads.size();
  }

  private long write(int rowGroupBytes) throws IOException {
    Random random = new Random(1);
    BaseFileWriter writer =
        BaseFileWriter.create(
            files,
            "f.parquet",
            THREE,
            "{}",
            BaseFileSettings.DEFAULT.withRowGroupBytes(rowGroupBytes).withPageBytes(20_000));
    byte[] text = new byte[30];
    for (int i = 0; i < 20_000; i++) {
      for (int j = 0; j < text.length; j++) {
        text[j] = (byte) ('a' + random.nextInt(26));
      }
      writer.write(
          GenericRowData.of((long) i, StringData.fromBytes(text.clone()), random.nextLong()));
    }
    writer.close();
    return writer.fileSizeBytes();
  }

  private static final class Counting extends ForwardingStorage {
    private final List<String> opened = new ArrayList<>();
    private final List<Long> reads = new ArrayList<>();
    private final List<String> others = new ArrayList<>();

    Counting(Storage storage) {
      super(storage);
    }

    void clear() {
      opened.clear();
      reads.clear();
      others.clear();
    }

    @Override
    public StorageInput open(String path) throws IOException {
      opened.add(path);
      StorageInput input = super.open(path);
      return new StorageInput() {
        @Override
        public long length() throws IOException {
          others.add("length of " + path);
          return input.length();
        }

        @Override
        public void readFully(long position, byte[] buffer, int offset, int length)
            throws IOException {
          reads.add((long) length);
          input.readFully(position, buffer, offset, length);
        }

        @Override
        public void close() throws IOException {
          input.close();
        }
      };
    }

    @Override
    public byte[] read(String path) throws IOException {
      others.add("all of " + path);
      return super.read(path);
    }

    @Override
    public void createNew(String path, byte[] content) throws IOException {
      others.add("create " + path);
      super.createNew(path, content);
    }

    @Override
    public OutputStream create(String path) throws IOException {
      others.add("create " + path);
      return super.create(path);
    }

    @Override
    public boolean exists(String path) throws IOException {
      others.add("exists " + path);
      return super.exists(path);
    }

    @Override
    public List<StoredFile> list(String folder) throws IOException {
      others.add("list " + folder);
      return super.list(folder);
    }
  }
}
