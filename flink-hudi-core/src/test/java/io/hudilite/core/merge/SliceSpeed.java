package io.hudilite.core.merge;

import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.base.BaseFileWriter;
import io.hudilite.core.file.FileSlice;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

/**
 * CPU time of reading the slices of a table on the local disk, one after the other; a program, not
 * a test. Arguments: the table's folder, how many passes, and the columns: all data columns, their
 * names with commas, or {@code compact} for all with the meta columns, written into new base files.
 */
final class SliceSpeed {
  private SliceSpeed() {}

  public static void main(String[] args) throws IOException {
    HudiTable table = HudiTable.open(new LocalStorage(Path.of(args[0])));
    int passes = Integer.parseInt(args[1]);
    boolean compacts = args.length > 2 && args[2].equals("compact");
    RowType wanted = wanted(table.schema().rowType(), args.length > 2 ? args[2] : "");
    List<FileSlice> slices = new ArrayList<>();
    for (String partition : table.view().partitions()) {
      slices.addAll(table.view().latestSlices(partition));
    }
    for (int pass = 0; pass < passes; pass++) {
      long collected = collectorMillis();
      long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      long rows = 0;
      for (FileSlice slice : slices) {
        rows += compacts ? compact(table, slice, wanted) : read(table, slice, wanted);
      }
      long took = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start;
      System.out.printf(
          "%d rows, %.3f us of CPU each, collector %d ms%n",
          rows, took / 1e3 / rows, collectorMillis() - collected);
    }
  }

  private static RowType wanted(RowType all, String columns) {
    if (columns.equals("compact")) {
      return AvroSchemas.withMetaColumns(all);
    }
    return columns.isEmpty()
        ? all
        : new RowType(
            all.getFields().stream()
                .filter(field -> List.of(columns.split(",")).contains(field.getName()))
                .toList());
  }

  private static long read(HudiTable table, FileSlice slice, RowType wanted) throws IOException {
    long rows = 0;
    try (FileSliceReader reader = open(table, slice, wanted)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        rows++;
      }
    }
    return rows;
  }

  private static long compact(HudiTable table, FileSlice slice, RowType wanted) throws IOException {
    BaseFileWriter writer =
        BaseFileWriter.create(new InMemoryStorage(), "f", wanted, "{}", BaseFileSettings.DEFAULT);
    try (FileSliceReader reader = open(table, slice, wanted)) {
      for (RowData row = reader.next(); row != null; row = reader.next()) {
        writer.write(row);
      }
    }
    writer.close();
    return writer.rowCount();
  }

  private static FileSliceReader open(HudiTable table, FileSlice slice, RowType wanted)
      throws IOException {
    return FileSliceReader.open(
        table.readContext(), slice, LogBlockFilter.ALL, new RowSelection.Live(), wanted);
  }

  private static long collectorMillis() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(GarbageCollectorMXBean::getCollectionTime)
        .sum();
  }
}
