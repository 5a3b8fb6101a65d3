package io.hudilite.core.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroRowDecoder;
import io.hudilite.core.file.LogFileName;
import io.hudilite.core.key.OrderingValue;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log files that Hudi 0.15.0, 1.0.2 and 1.1.1 wrote. */
final class LogFixturesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mor_all_types",
        "mor_deletes",
        "mor_zstd_small_blocks",
        "mor_partial_update",
        "mor_rolled_back",
        "v6_mor_log_heavy",
        "v9_mor_all_types",
        "v9_mor_two_ordering_fields"
      })
  void everyRecordOfRealTablesIsReadWhole(String name) throws IOException {
    Path table = Fixtures.unpack(name, folder);
    Storage storage = new LocalStorage(table);
    int records = 0;
    for (Path file : logFiles(table)) {
      String path = table.relativize(file).toString();
      LogFileName logFile = LogFileName.parse(file.getFileName().toString()).orElseThrow();
      try (LogReader reader = LogReader.open(storage, path, Files.size(file))) {
        for (LogBlock block = reader.next(); block != null; block = reader.next()) {
          if (block instanceof LogBlock.Data data) {
            RowType rowType = AvroSchemas.toRowType(data.schema());
            AvroRowDecoder decoder = AvroRowDecoder.create(data.schema(), rowType);
            RecordCursor cursor = data.records();
            while (cursor.next()) {
              GenericRowData row = decoder.decode(cursor.bytes(), cursor.offset(), cursor.length());
              assertThat(row.getString(0)).hasToString(data.instant().toString());
              assertThat(row.getString(4)).hasToString(logFile.fileId().value());
              records++;
            }
          } else if (block instanceof LogBlock.Delete delete) {
            records += delete.records().size();
          } else {
            assertThat(block).isInstanceOf(LogBlock.Rollback.class);
          }
        }
      }
    }
    assertThat(records).isPositive();
  }

  @Test
  void blocksOfOneTableShareTheirSchema() throws IOException {
    Path table = Fixtures.unpack("orders_mor", folder);
    Storage storage = new LocalStorage(table);
    SchemaCache schemas = new SchemaCache();
    List<Object> seen = new ArrayList<>();
    for (Path file : logFiles(table)) {
      String path = table.relativize(file).toString();
      try (LogReader reader = LogReader.open(storage, path, Files.size(file), schemas)) {
        LogBlock block = reader.next();
        seen.add(((LogBlock.Data) block).schema());
        assertThat(reader.next()).isNull();
      }
    }
    assertThat(seen).hasSize(4).allMatch(schema -> schema == seen.get(0));
  }

  @Test
  void parquetBlocksAreHandedOverWhole() throws IOException {
    Path table = Fixtures.unpack("mor_parquet_log", folder);
    Storage storage = new LocalStorage(table);
    int parquet = 0;
    for (Path file : logFiles(table)) {
      String path = table.relativize(file).toString();
      try (LogReader reader = LogReader.open(storage, path, Files.size(file))) {
        for (LogBlock block = reader.next(); block != null; block = reader.next()) {
          if (block instanceof LogBlock.ParquetData data) {
            byte[] content = new byte[(int) data.contentLength()];
            data.open().readFully(0, content, 0, content.length);
            assertThat(new String(content, 0, 4, java.nio.charset.StandardCharsets.US_ASCII))
                .isEqualTo("PAR1");
            assertThat(content).hasSize((int) data.contentLength()).endsWith('P', 'A', 'R', '1');
            parquet++;
          }
        }
      }
    }
    assertThat(parquet).isPositive();
  }

  @Test
  void deletesOfAnOperationHaveTheDefaultOrdering() throws IOException {
    Path table = Fixtures.unpack("mor_deletes", folder);
    Storage storage = new LocalStorage(table);
    List<OrderingValue> orderings = new ArrayList<>();
    for (Path file : logFiles(table)) {
      String path = table.relativize(file).toString();
      try (LogReader reader = LogReader.open(storage, path, Files.size(file))) {
        for (LogBlock block = reader.next(); block != null; block = reader.next()) {
          if (block instanceof LogBlock.Delete delete) {
            delete.records().forEach(deleted -> orderings.add(deleted.ordering()));
          }
        }
      }
    }
    assertThat(orderings)
        .contains(OrderingValue.ofInt(0))
        .anyMatch(value -> value.kind() == OrderingValue.Kind.LONG);
  }

  private static List<Path> logFiles(Path table) throws IOException {
    try (Stream<Path> files = Files.walk(table)) {
      return files
          .filter(file -> !file.toString().contains(".hoodie/"))
          .filter(file -> LogFileName.parse(file.getFileName().toString()).isPresent())
          .sorted()
          .toList();
    }
  }
}
