package io.hudilite.core.scan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.merge.ReadContext;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.ForwardingStorage;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.storage.MemoryInput;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.storage.StorageInput;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.Fixtures;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads slices of which one file is damaged: rows, or an error that names the file, with memory in
 * proportion to the file, and an end.
 */
class DamagedFilesTest {
  private static final int TRIES = 60;
  private static final int MAX_ROWS = 1_000_000;

  /** Beyond what buffers of a fixed size and the files themselves take. */
  private static final long MAX_ALLOCATED = 96L << 20;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mor_all_types",
        "mor_parquet_log",
        "mor_deletes",
        "v6_mor",
        "cow_all_types_bulk_insert"
      })
  void damagedFilesAreNamed(String name, @TempDir Path folder) throws IOException {
    Path path = Fixtures.unpack(name, folder);
    HudiTable table = HudiTable.open(new LocalStorage(path));
    RowType columns = columns(table);
    Random random = new Random(name.hashCode());
    List<ScanSplit> splits = new ScanPlanner().snapshot(table);
    int errors = 0;
    for (int i = 0; i < TRIES; i++) {
      ScanSplit split = splits.get(random.nextInt(splits.size()));
      String file = anyFile(split, random);
      byte[] whole = table.storage().read(file);
      byte[] damaged = damage(whole.clone(), random);
      Storage storage = new OneFileChanged(table.storage(), file, damaged);
      if (!readsOrNames(context(table, storage), split, columns, file, i)) {
        errors++;
      }
    }
    assertThat(errors).as("damages that were found").isGreaterThan(TRIES / 10);
  }

  private static ReadContext context(HudiTable table, Storage storage) throws IOException {
    ReadContext context = table.readContext();
    return context.withStorage(storage);
  }

  private static RowType columns(HudiTable table) throws IOException {
    List<RowType.RowField> fields = new ArrayList<>();
    MetaColumns.NAMES.forEach(
        meta -> fields.add(new RowType.RowField(meta, VarCharType.STRING_TYPE)));
    fields.addAll(table.schema().rowType().getFields());
    return new RowType(fields);
  }

  private static String anyFile(ScanSplit split, Random random) {
    List<String> files = new ArrayList<>();
    split.slice().baseFile().ifPresent(base -> files.add(base.path()));
    split.slice().logFiles().forEach(log -> files.add(log.path()));
    return files.get(random.nextInt(files.size()));
  }

  /** Cuts, flips bits, or writes numbers that may be lengths. */
  private static byte[] damage(byte[] bytes, Random random) {
    switch (random.nextInt(6)) {
      case 0 -> {
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      }
      case 1 -> {
        int at = random.nextInt(bytes.length - 8);
        int[] forged = {-1, Integer.MAX_VALUE, Integer.MAX_VALUE - 8, 1 << 30, Integer.MIN_VALUE};
        ByteBuffer.wrap(bytes).putInt(at, forged[random.nextInt(forged.length)]);
      }
      case 2 -> { // a varint of five bytes
        int at = random.nextInt(bytes.length - 8);
        ByteBuffer.wrap(bytes).put(at, new byte[] {-1, -1, -1, -1, 7});
      }
      default -> {
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
          bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
      }
    }
    return bytes;
  }

  /** False after an error that names the file. */
  private static boolean readsOrNames(
      ReadContext context, ScanSplit split, RowType columns, String file, int attempt)
      throws IOException {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    RowData.FieldGetter[] getters = new RowData.FieldGetter[columns.getFieldCount()];
    for (int i = 0; i < getters.length; i++) {
      getters[i] = RowData.createFieldGetter(columns.getTypeAt(i), i);
    }
    try (SplitReader reader = SplitReader.open(context, split, columns)) {
      int rows = 0;
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        for (RowData.FieldGetter getter : getters) {
          getter.getFieldOrNull(row);
        }
        assertThat(rows++).isLessThan(MAX_ROWS);
      }
      return true;
    } catch (IOException | HudiTableException e) {
      assertThat(e).hasMessageContaining(file.substring(file.lastIndexOf('/') + 1));
      return false;
    } catch (RuntimeException e) {
      return fail("%s, try %d: no checked error".formatted(file, attempt), e);
    } finally {
      assertThat(threads.getCurrentThreadAllocatedBytes() - before)
          .as("bytes allocated for %s, try %d", file, attempt)
          .isLessThan(MAX_ALLOCATED);
    }
  }

  /** Another table in which one file has other bytes. */
  private static final class OneFileChanged extends ForwardingStorage {
    private final String path;
    private final byte[] content;

    OneFileChanged(Storage storage, String path, byte[] content) {
      super(storage);
      this.path = path;
      this.content = content;
    }

    @Override
    public StorageInput open(String opened) throws IOException {
      return opened.equals(path) ? new MemoryInput(path, content) : super.open(opened);
    }

    @Override
    public byte[] read(String read) throws IOException {
      return read.equals(path) ? content : super.read(read);
    }
  }
}
