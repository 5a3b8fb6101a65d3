package io.hudilite.core.columns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnWriteStore;
import org.apache.parquet.column.ColumnWriter;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.hadoop.ColumnChunkPageWriteStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.api.ReadSupport;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;

/** Parquet's own column writers, and its reader, judge ours. */
@SuppressWarnings("deprecation") // PLAIN_DICTIONARY, as pages of version 1 have it
class RowGroupColumnsTest {
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message m { optional boolean a; required int32 b; optional int64 c; optional float d;"
              + " optional double e; optional binary f (STRING); required binary g;"
              + " optional fixed_len_byte_array(5) h (DECIMAL(10,2));"
              + " optional group i { optional int32 j; } }");

  private static final class GroupReader extends ParquetReader.Builder<Group> {
    GroupReader(InputFile file) {
      super(file, new PlainParquetConfiguration());
    }

    @Override
    protected ReadSupport<Group> getReadSupport() {
      return new GroupReadSupport();
    }
  }

  private static final class Plain implements BytesInputCompressor {
    @Override
    public BytesInput compress(BytesInput bytes) {
      return bytes;
    }

    @Override
    public CompressionCodecName getCodecName() {
      return CompressionCodecName.UNCOMPRESSED;
    }

    @Override
    public void release() {}
  }

  private interface Columns {
    ColumnWriteStore over(ColumnChunkPageWriteStore pages, ParquetProperties properties);
  }

  private static Path write(int rows, int pageBytes, Columns columns, Filler filler)
      throws IOException {
    Path file = Files.createTempDirectory("columns").resolve("f");
    ParquetProperties properties =
        ParquetProperties.builder()
            .withWriterVersion(ParquetProperties.WriterVersion.PARQUET_1_0)
            .withAllocator(HeapByteBufferAllocator.getInstance())
            .withPageSize(pageBytes)
            .withDictionaryPageSize(pageBytes)
            .withPageRowCountLimit(700)
            .withSizeStatisticsEnabled(false)
            .build();
    try (ParquetFileWriter writer =
        new ParquetFileWriter(
            new LocalOutputFile(file),
            SCHEMA,
            ParquetFileWriter.Mode.CREATE,
            1 << 20,
            0,
            64,
            Integer.MAX_VALUE,
            true)) {
      writer.start();
      writer.startBlock(rows);
      try (ColumnChunkPageWriteStore pages =
              new ColumnChunkPageWriteStore(
                  new Plain(), SCHEMA, properties.getAllocator(), 64, true);
          ColumnWriteStore store = columns.over(pages, properties)) {
        filler.fill(store);
        store.flush();
        pages.flushToFileWriter(writer);
      }
      writer.endBlock();
      writer.end(Map.of());
    }
    return file;
  }

  private interface Filler {
    void fill(ColumnWriteStore store) throws IOException;
  }

  /** The same rows for the same seed. */
  private static Filler random(long seed, int rows) {
    return store -> {
      Random random = new Random(seed);
      List<ColumnWriter> writers = new ArrayList<>();
      int[] different = new int[SCHEMA.getColumns().size()];
      int[] nullPercent = new int[different.length];
      for (ColumnDescriptor column : SCHEMA.getColumns()) {
        different[writers.size()] = 1 << random.nextInt(14);
        nullPercent[writers.size()] = random.nextBoolean() ? 0 : random.nextInt(101);
        writers.add(store.getColumnWriter(column));
      }
      byte[] bytes = new byte[64];
      for (int row = 0; row < rows; row++) {
        for (int i = 0; i < different.length; i++) {
          ColumnDescriptor column = SCHEMA.getColumns().get(i);
          ColumnWriter writer = writers.get(i);
          int level = column.getMaxDefinitionLevel();
          if (level > 0 && random.nextInt(100) < nullPercent[i]) {
            writer.writeNull(0, 0);
            continue;
          }
          long value = new Random(random.nextInt(different[i])).nextLong();
          switch (column.getPrimitiveType().getPrimitiveTypeName()) {
            case BOOLEAN -> writer.write(value > 0, 0, level);
            case INT32 -> writer.write((int) value, 0, level);
            case INT64 -> writer.write(value, 0, level);
            case FLOAT -> writer.write((float) (value >> 40), 0, level);
            case DOUBLE -> writer.write((double) (value >> 30), 0, level);
            case BINARY, FIXED_LEN_BYTE_ARRAY -> {
              int length = column.getPrimitiveType().getTypeLength();
              length = length > 0 ? length : (int) (value & 31);
              new Random(value).nextBytes(bytes); // an array that is used again
              writer.write(Binary.fromReusedByteArray(bytes, 3, length), 0, level);
            }
            default -> throw new IllegalStateException();
          }
        }
        store.endRecord();
      }
    };
  }

  private static List<String> rows(Path file) throws IOException {
    List<String> rows = new ArrayList<>();
    try (ParquetReader<Group> reader = new GroupReader(new LocalInputFile(file)).build()) {
      for (Group row = reader.read(); row != null; row = reader.read()) {
        rows.add(row.toString());
      }
    }
    return rows;
  }

  private static List<ColumnChunkMetaData> chunks(Path file) throws IOException {
    try (ParquetFileReader reader =
        ParquetFileReader.open(
            new LocalInputFile(file),
            ParquetReadOptions.builder(new PlainParquetConfiguration()).build())) {
      return reader.getFooter().getBlocks().get(0).getColumns();
    }
  }

  @Property(tries = 60)
  void rowsAndStatisticsAreThoseOfParquetsWriters(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 2500) int rowCount,
      @ForAll @IntRange(min = 64, max = 6000) int pageBytes,
      @ForAll @IntRange(min = 1, max = 900) int sample)
      throws IOException {
    Filler filler = random(seed, rowCount);
    Path ours =
        write(
            rowCount,
            pageBytes,
            (pages, properties) ->
                new RowGroupColumns(SCHEMA, pages, properties, Set.of("c"), sample),
            filler);
    Path theirs =
        write(
            rowCount,
            pageBytes,
            (pages, properties) -> properties.newColumnWriteStore(SCHEMA, pages, pages),
            filler);
    assertThat(rows(ours)).isEqualTo(rows(theirs));
    List<ColumnChunkMetaData> ourChunks = chunks(ours);
    List<ColumnChunkMetaData> theirChunks = chunks(theirs);
    for (int i = 0; i < ourChunks.size(); i++) {
      assertThat(ourChunks.get(i).getStatistics()).isEqualTo(theirChunks.get(i).getStatistics());
      assertThat(ourChunks.get(i).getValueCount()).isEqualTo(theirChunks.get(i).getValueCount());
    }
  }

  private static ColumnChunkMetaData texts(int rows, int different, int sample) throws IOException {
    MessageType schema = SCHEMA;
    Path file =
        write(
            rows,
            1 << 20,
            (pages, properties) -> new RowGroupColumns(schema, pages, properties, Set.of(), sample),
            store -> {
              ColumnWriter text = store.getColumnWriter(schema.getColumns().get(5));
              for (int i = 0; i < rows; i++) {
                text.write(Binary.fromString("some text " + i % different), 0, 1);
              }
            });
    return chunks(file).get(5);
  }

  @Test
  void columnsThatRepeatGetADictionary() throws IOException {
    assertThat(texts(2000, 40, 1000).getEncodings()).contains(Encoding.PLAIN_DICTIONARY);
    assertThat(texts(300, 40, 1000).getEncodings()).contains(Encoding.PLAIN_DICTIONARY);
  }

  @Test
  void columnsThatDoNotRepeatGetNone() throws IOException {
    assertThat(texts(2000, 2000, 1000).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
    assertThat(texts(300, 300, 1000).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
    assertThat(texts(1, 1, 1000).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
  }

  @Test
  void columnsOfNullsHaveNoDictionaryPage() throws IOException {
    Path nulls = write(900, 1 << 20, RowGroupColumnsTest::ours, valuesFrom(900, 900));
    assertThat(chunks(nulls).get(5).getEncodings()).doesNotContain(Encoding.PLAIN_DICTIONARY);
    assertThat(chunks(nulls).get(5).hasDictionaryPage()).isFalse();
  }

  @Test
  void aDictionaryMayComeBehindAPageOfNulls() throws IOException {
    Path file = write(2100, 1 << 20, RowGroupColumnsTest::ours, valuesFrom(900, 2100));
    assertThat(chunks(file).get(5).getEncodings()).contains(Encoding.PLAIN_DICTIONARY);
    List<String> rows = rows(file);
    assertThat(rows.get(899)).doesNotContain("f:");
    assertThat(rows.get(900)).contains("f: some text 0");
    assertThat(rows.get(2099)).contains("f: some text 39");
  }

  private static ColumnWriteStore ours(
      ColumnChunkPageWriteStore pages, ParquetProperties properties) {
    return new RowGroupColumns(SCHEMA, pages, properties, Set.of(), 1000);
  }

  /** Rows whose text is null before one of them. */
  private static Filler valuesFrom(int first, int rows) {
    return store -> {
      for (int row = 0; row < rows; row++) {
        for (ColumnDescriptor column : SCHEMA.getColumns()) {
          ColumnWriter writer = store.getColumnWriter(column);
          if (column.getPath()[0].equals("f") && row >= first) {
            writer.write(Binary.fromString("some text " + (row - first) % 40), 0, 1);
          } else if (column.getMaxDefinitionLevel() > 0) {
            writer.writeNull(0, 0);
          } else if (column.getPath()[0].equals("b")) {
            writer.write(row, 0, 0);
          } else {
            writer.write(Binary.EMPTY, 0, 0);
          }
        }
        store.endRecord();
      }
    };
  }
}
