package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.file.FileGroupId;
import io.hudilite.sink.record.HudiRecord;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.UUID;

/**
 * Rows that had to leave the memory, in one local file: a run for each group buffer that was
 * written out. The file goes with {@link #close()}. Not safe for use by several threads.
 */
final class SpilledRows implements Closeable {
  private static final int READ_BYTES = 1 << 16;

  private final FileChannel file;
  private final Map<FileGroupId, List<Run>> runs = new HashMap<>();

  private record Run(long begin, long end) {}

  SpilledRows(Path folder) throws IOException {
    requireNonNull(folder, "folder");
    file =
        FileChannel.open(
            folder.resolve("hudi-lite-rows-" + UUID.randomUUID() + ".tmp"),
            StandardOpenOption.CREATE_NEW,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** The groups that have runs. */
  Set<FileGroupId> groups() {
    return runs.keySet();
  }

  /** Writes the rows out as one run, in the order in which they are visited. */
  void add(GroupBuffer group, GroupBuffer.Order order) throws IOException {
    long begin = file.size();
    file.position(begin);
    // Not closed: that would close the file.
    DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Channels.newOutputStream(file), READ_BYTES));
    group.forEach(
        order,
        (page, offset, length) -> {
          out.writeInt(length);
          out.write(page, offset, length);
        });
    out.flush();
    runs.computeIfAbsent(group.id(), id -> new ArrayList<>()).add(new Run(begin, file.size()));
  }

  /**
   * Visits the rows of a group: run after run, or merged by key, if each run is sorted so. The
   * array is valid during the visit.
   */
  void forEach(FileGroupId group, GroupBuffer.Order order, GroupBuffer.Visitor visitor)
      throws IOException {
    List<Cursor> cursors = new ArrayList<>();
    for (Run run : runs.getOrDefault(group, List.of())) {
      Cursor cursor = new Cursor(run, cursors.size());
      if (cursor.next()) {
        cursors.add(cursor);
      }
    }
    if (order == GroupBuffer.Order.ARRIVAL) {
      for (Cursor cursor : cursors) {
        do {
          visitor.visit(cursor.row, 0, cursor.length);
        } while (cursor.next());
      }
      return;
    }
    PriorityQueue<Cursor> byKey = new PriorityQueue<>(cursors);
    for (Cursor least = byKey.poll(); least != null; least = byKey.poll()) {
      visitor.visit(least.row, 0, least.length);
      if (least.next()) {
        byKey.add(least);
      }
    }
  }

  @Override
  public void close() throws IOException {
    runs.clear();
    file.close();
  }

  /** A place in a run. */
  private final class Cursor implements Comparable<Cursor> {
    private final DataInputStream in;
    private final int number;
    private long left;
    private byte[] row = new byte[1024];
    private int length;

    private Cursor(Run run, int number) {
      this.in = new DataInputStream(new BufferedInputStream(new Part(run.begin()), READ_BYTES));
      this.left = run.end() - run.begin();
      this.number = number;
    }

    private boolean next() throws IOException {
      if (left == 0) {
        return false;
      }
      length = in.readInt();
      if (row.length < length) {
        row = new byte[Math.max(length, 2 * row.length)];
      }
      in.readFully(row, 0, length);
      left -= length + (long) Integer.BYTES;
      return true;
    }

    @Override
    public int compareTo(Cursor other) {
      int from = HudiRecord.keyOffset(0);
      int byKey =
          Arrays.compareUnsigned(
              row,
              from,
              from + HudiRecord.keyLength(row, 0),
              other.row,
              from,
              from + HudiRecord.keyLength(other.row, 0));
      return byKey != 0 ? byKey : Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object o) {
      return this == o;
    }

    @Override
    public int hashCode() {
      return number;
    }
  }

  /** The file from a position on. */
  private final class Part extends java.io.InputStream {
    private long position;

    private Part(long position) {
      this.position = position;
    }

    @Override
    public int read() {
      throw new UnsupportedOperationException("Read through a buffer");
    }

    @Override
    public int read(byte[] bytes, int offset, int count) throws IOException {
      int read = file.read(java.nio.ByteBuffer.wrap(bytes, offset, count), position);
      position += Math.max(0, read);
      return read;
    }
  }
}
