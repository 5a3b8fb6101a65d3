package io.hudilite.core.clustering;

import static java.util.Objects.requireNonNull;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import javax.annotation.Nullable;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * Sorts any number of rows in bounded memory: what does not fit waits in sorted local files, which
 * are merged at the end. Rows with equal keys keep their order. Not safe for use by several
 * threads.
 *
 * <pre>one record in a file:  keyLength int32, rowLength int32, key, row</pre>
 */
final class RowSorter implements Closeable {
  /** Heap of the object that stands for a record. */
  private static final int ENTRY_BYTES = 40;

  private static final int STREAM_BYTES = 64 << 10;
  private static final int LEAST_STREAM_BYTES = 4 << 10;

  private final long memoryBytes;
  private final Path folder;
  private final SortOrder order;
  private final RowDataSerializer serializer;
  private final int fields;
  private final KeyBytes key = new KeyBytes();
  private final List<Path> runs = new ArrayList<>();
  private List<Entry> entries = new ArrayList<>();
  private long usedBytes;

  /**
   * @param memoryBytes heap for rows; a row that is larger is held in any case
   * @param folder an existing local folder
   */
  RowSorter(RowType rowType, SortOrder order, long memoryBytes, Path folder) {
    this.order = requireNonNull(order, "order");
    this.folder = requireNonNull(folder, "folder");
    this.memoryBytes = memoryBytes;
    this.serializer = new RowDataSerializer(rowType);
    this.fields = rowType.getFieldCount();
  }

  /** A record: its key comes first in {@code bytes}. */
  private static final class Entry {
    private final byte[] bytes;
    private final int keyLength;

    private Entry(byte[] bytes, int keyLength) {
      this.bytes = bytes;
      this.keyLength = keyLength;
    }

    private static int compare(Entry a, Entry b) {
      return Arrays.compareUnsigned(a.bytes, 0, a.keyLength, b.bytes, 0, b.keyLength);
    }
  }

  /** The caller may use the row again. */
  void add(RowData row) throws IOException {
    key.reset();
    order.encode(row, key);
    BinaryRowData binary = serializer.toBinaryRow(row);
    byte[] bytes = new byte[key.size() + binary.getSizeInBytes()];
    System.arraycopy(key.array(), 0, bytes, 0, key.size());
    binary.getSegments()[0].get(binary.getOffset(), bytes, key.size(), binary.getSizeInBytes());
    entries.add(new Entry(bytes, key.size()));
    usedBytes += bytes.length + ENTRY_BYTES;
    if (usedBytes >= memoryBytes) {
      spill();
    }
  }

  private void spill() throws IOException {
    entries.sort(Entry::compare);
    Path run = Files.createTempFile(folder, "hudi-sort-", ".run");
    runs.add(run);
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(run), STREAM_BYTES))) {
      for (Entry entry : entries) {
        out.writeInt(entry.keyLength);
        out.writeInt(entry.bytes.length - entry.keyLength);
        out.write(entry.bytes);
      }
    }
    entries = new ArrayList<>();
    usedBytes = 0;
  }

  /** How many files rows wait in. */
  int spilledRuns() {
    return runs.size();
  }

  /** Takes rows one after the other. */
  @FunctionalInterface
  interface RowConsumer {
    /**
     * Takes the next row.
     *
     * @param row valid until this returns
     */
    void accept(RowData row) throws IOException;
  }

  /** Gives all rows in their order. To be called once. */
  void forEach(RowConsumer consumer) throws IOException {
    entries.sort(Entry::compare);
    BinaryRowData row = new BinaryRowData(fields);
    PriorityQueue<Run> queue =
        new PriorityQueue<>(
            (a, b) -> {
              int byKey = Entry.compare(a.head, b.head);
              return byKey != 0 ? byKey : Integer.compare(a.number, b.number);
            });
    List<Run> opened = new ArrayList<>();
    try {
      for (int i = 0; i <= runs.size(); i++) {
        Run run = i < runs.size() ? open(i) : new Run(i, null, entries);
        opened.add(run);
        if (run.advance()) {
          queue.add(run);
        }
      }
      while (!queue.isEmpty()) {
        Run run = queue.poll();
        Entry entry = run.head;
        row.pointTo(
            MemorySegmentFactory.wrap(entry.bytes),
            entry.keyLength,
            entry.bytes.length - entry.keyLength);
        consumer.accept(row);
        if (run.advance()) {
          queue.add(run);
        }
      }
    } finally {
      for (Run run : opened) {
        run.close();
      }
    }
  }

  private Run open(int number) throws IOException {
    long each = memoryBytes / 2 / Math.max(1, runs.size());
    int bytes = (int) Math.max(LEAST_STREAM_BYTES, Math.min(STREAM_BYTES, each));
    return new Run(
        number,
        new DataInputStream(new BufferedInputStream(Files.newInputStream(runs.get(number)), bytes)),
        List.of());
  }

  /** Sorted records, in a file or in memory. */
  private static final class Run implements Closeable {
    private final int number;
    @Nullable private final DataInputStream in;
    private final List<Entry> inMemory;
    private int next;
    private Entry head;

    private Run(int number, @Nullable DataInputStream in, List<Entry> inMemory) {
      this.number = number;
      this.in = in;
      this.inMemory = inMemory;
    }

    /** False at the end. */
    private boolean advance() throws IOException {
      if (in == null) {
        if (next == inMemory.size()) {
          return false;
        }
        head = inMemory.get(next);
        inMemory.set(next++, null); // so that its memory is free
        return true;
      }
      int keyLength;
      try {
        keyLength = in.readInt();
      } catch (EOFException e) {
        return false;
      }
      byte[] bytes = new byte[keyLength + in.readInt()];
      in.readFully(bytes);
      head = new Entry(bytes, keyLength);
      return true;
    }

    @Override
    public void close() throws IOException {
      if (in != null) {
        in.close();
      }
    }
  }

  /** Deletes the files. */
  @Override
  public void close() throws IOException {
    entries = new ArrayList<>();
    for (Path run : runs) {
      Files.deleteIfExists(run);
    }
    runs.clear();
  }
}
