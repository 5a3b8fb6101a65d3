package io.hudilite.core.merge;

import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * All versions of the keys of a slice's log files, for rules under which it matters which versions
 * are combined first. Keys are the entries of the {@link LogRecordMap} that knows them; versions of
 * one are numbered from 0, in reading order. Not safe for use by several threads.
 */
final class LogVersions implements Closeable {
  private final LogRecordMap records;
  private final byte[] key = new byte[2 * Integer.BYTES];
  private int[] counts = new int[64];

  LogVersions(MergeMemory memory) {
    records = new LogRecordMap(new CommitTimeMerger(), memory);
  }

  /** Where the versions are, by what {@link #find} tells. */
  LogRecordMap records() {
    return records;
  }

  /** Takes the next version of a key; a body is copied. */
  void add(int entry, Version version, int origin, byte[] body, int offset, int length)
      throws IOException {
    if (entry >= counts.length) {
      counts = Arrays.copyOf(counts, Math.max(entry + 1, 2 * counts.length));
    }
    setKey(entry, counts[entry]++);
    if (version.isDelete()) {
      records.delete(key, 0, key.length, version, origin);
    } else {
      records.put(key, 0, key.length, version, origin, body, offset, length);
    }
  }

  int count(int entry) {
    return counts[entry];
  }

  int find(int entry, int number) throws IOException {
    setKey(entry, number);
    return records.find(key, 0, key.length);
  }

  private void setKey(int entry, int number) {
    for (int i = 0; i < Integer.BYTES; i++) {
      key[i] = (byte) (entry >>> (Byte.SIZE * i));
      key[Integer.BYTES + i] = (byte) (number >>> (Byte.SIZE * i));
    }
  }

  void clear() throws IOException {
    records.clear();
    Arrays.fill(counts, 0);
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
