package io.hudilite.bench;

import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.types.RowKind;

/**
 * The deterministic changelog. Every row is a pure function of (id, seq), every operation a pure
 * function of (spec, index), so a job can be replayed in memory to learn the expected table.
 *
 * <p>Operation i belongs to split i % splits. Keys of the updating modes are congruent to their
 * split, so that all changes of one key pass through one source subtask, in order.
 */
final class Gen {
  static final long TS0 = 1_700_000_000_000L;
  static final int FIELDS = 10;

  enum Mode {
    APPEND,
    LOAD,
    UPDATE,
    CDC,
    PARTIAL,
    LOAD_UPDATE
  }

  static final class Spec implements Serializable {
    Mode mode = Mode.APPEND;
    long rows;
    long keys; // size of the key space; a multiple of splits
    long loadRows; // LOAD_UPDATE: the first so many operations load
    boolean zipf;
    long startSeq;
    int partitions = 1;
    long perCommit; // 0: free running; else wait for a checkpoint after so many rows
    int splits = 2;
    boolean hold; // do not end after the last row

    long rowsOf(int split) {
      return rows / splits + (split < rows % splits ? 1 : 0);
    }
  }

  static long mix(long z) {
    z += 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  private static final long PRIME = 999_999_937L;

  /** Walks the operations of one split in order. */
  static final class Walker {
    final Spec s;
    final int split;
    final BitSet alive; // CDC only, indexed by key / splits
    long j; // next local operation
    long key;
    long seq;
    byte kind; // RowKind byte value
    int group; // PARTIAL: 1 sets the first value columns, 2 the others, 3 all

    Walker(Spec s, int split, long from) {
      this.s = s;
      this.split = split;
      alive = s.mode == Mode.CDC ? new BitSet((int) (s.keys / s.splits)) : null;
      if (alive != null) {
        alive.set(0, (int) (s.keys / s.splits));
        while (j < from) {
          next();
        }
      }
      j = from;
    }

    void next() {
      long i = j++ * s.splits + split;
      seq = s.startSeq + i;
      kind = 0;
      group = 3;
      Mode m = s.mode;
      if (m == Mode.LOAD_UPDATE) {
        m = i < s.loadRows ? Mode.LOAD : Mode.UPDATE;
      }
      switch (m) {
        case APPEND:
          key = seq;
          return;
        case LOAD:
          key = (i * PRIME + 12345) % s.keys;
          return;
        default:
      }
      long n = s.keys / s.splits;
      long h = mix(seq * 0x632BE59BD9B4E019L + 77);
      double u = (h >>> 11) * 0x1.0p-53;
      long r;
      if (s.zipf) {
        double v = u * u;
        r = ((long) (v * v * n) * PRIME) % n; // P(rank < x n) = x^(1/4): 1% of keys get 32%
      } else {
        r = (long) (u * n);
      }
      key = r * s.splits + split;
      if (m == Mode.CDC) {
        boolean was = alive.get((int) r);
        if (was && (h & 0x3ff) < 205) { // 20%
          kind = RowKind.DELETE.toByteValue();
          alive.clear((int) r);
        } else {
          kind = (was ? RowKind.UPDATE_AFTER : RowKind.INSERT).toByteValue();
          alive.set((int) r);
        }
      } else if (m == Mode.PARTIAL) {
        group = (h & 0x400) == 0 ? 1 : 2;
      }
    }
  }

  private static final byte[] ALPHA =
      "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-"
          .getBytes(StandardCharsets.US_ASCII);
  private static final BinaryStringData[] TAGS = new BinaryStringData[1000];
  private static final String[] TAG_STR = new String[1000];
  private static final RowKind[] KINDS = new RowKind[4];

  static {
    for (int i = 0; i < TAGS.length; i++) {
      TAG_STR[i] = String.format("category-%03d-of-1000", i);
      TAGS[i] = BinaryStringData.fromString(TAG_STR[i]);
      TAGS[i].ensureMaterialized();
    }
    for (byte i = 0; i < 4; i++) {
      KINDS[i] = RowKind.fromByteValue(i);
    }
  }

  private static final StringData[] PTS = new StringData[1024];

  static {
    for (int i = 0; i < PTS.length; i++) {
      BinaryStringData b = BinaryStringData.fromString("p" + i);
      b.ensureMaterialized();
      PTS[i] = b;
    }
  }

  static int partition(long id, int partitions) {
    return partitions <= 1 ? 0 : (int) ((mix(id) >>> 3) % partitions);
  }

  static byte[] name(long h1, long h2) {
    byte[] b = new byte[20];
    for (int k = 0; k < 10; k++) {
      b[k] = ALPHA[(int) (h1 >>> (6 * k)) & 63];
      b[10 + k] = ALPHA[(int) (h2 >>> (6 * k)) & 63];
    }
    return b;
  }

  static GenericRowData row(Spec s, long id, long seq, byte kind, int group) {
    GenericRowData r = new GenericRowData(KINDS[kind], FIELDS);
    long h1 = mix(id * 31 + seq);
    long h2 = mix(h1);
    r.setField(0, id);
    if ((group & 1) != 0) {
      r.setField(1, (int) ((h1 >>> 33) % 1_000_000));
      r.setField(2, (int) (h1 & 1023));
      r.setField(3, h2 >>> 20);
      r.setField(4, (h2 & 0xFFFFF) / 16.0);
    }
    if ((group & 2) != 0) {
      r.setField(5, DecimalData.fromUnscaledLong((h1 >>> 20) % 10_000_000_000L, 10, 2));
      r.setField(6, BinaryStringData.fromBytes(name(h1, h2)));
      r.setField(7, TAGS[(int) ((h2 >>> 1) % 1000)]);
    }
    r.setField(8, TimestampData.fromEpochMillis(TS0 + seq));
    r.setField(9, PTS[partition(id, s.partitions)]);
    return r;
  }

  static long hashStr(byte[] b) {
    long h = 7;
    for (byte x : b) {
      h = h * 1099511628211L + x;
    }
    return h;
  }

  /** 36-bit hash of a whole row; sums of it over a table stay inside a long. Nulls hash as 0. */
  static long rowHash(
      long id,
      Integer a,
      Integer b,
      Long c,
      Double d,
      Long dec,
      byte[] name,
      byte[] tag,
      long ts,
      byte[] pt) {
    long h = mix(id);
    h = mix(h + (a == null ? 0 : a * 3L));
    h = mix(h + (b == null ? 0 : b * 5L));
    h = mix(h + (c == null ? 0 : c * 7));
    h = mix(h + (d == null ? 0 : Double.doubleToLongBits(d)));
    h = mix(h + (dec == null ? 0 : dec * 11));
    h = mix(h + (name == null ? 0 : hashStr(name)));
    h = mix(h + (tag == null ? 0 : hashStr(tag)));
    h = mix(h + ts);
    h = mix(h + hashStr(pt));
    return h >>> 28;
  }

  static long rowHash(GenericRowData r) {
    return rowHash(
        r.getLong(0),
        (Integer) r.getField(1),
        (Integer) r.getField(2),
        (Long) r.getField(3),
        (Double) r.getField(4),
        r.getField(5) == null ? null : ((DecimalData) r.getField(5)).toUnscaledLong(),
        r.getField(6) == null ? null : ((StringData) r.getField(6)).toBytes(),
        r.getField(7) == null ? null : ((StringData) r.getField(7)).toBytes(),
        ((TimestampData) r.getField(8)).getMillisecond(),
        ((StringData) r.getField(9)).toBytes());
  }

  static Long unscaled(BigDecimal d) {
    return d == null ? null : d.movePointRight(2).longValueExact();
  }

  /** The table that a sequence of phases must leave behind. */
  static final class Expected {
    long count;
    long hash;
    private long[] a; // seq that last set the first group, -1: no row
    private long[] b;
    private int partitions;
    private boolean known;

    /** Whether any phase is among those that made the table. */
    boolean isKnown() {
      return known;
    }

    void apply(Spec s) {
      known = true;
      partitions = s.partitions;
      if (s.mode == Mode.APPEND) {
        for (int p = 0; p < s.splits; p++) {
          Walker w = new Walker(s, p, 0);
          for (long n = s.rowsOf(p); w.j < n; ) {
            w.next();
            count++;
            hash += rowHash(row(s, w.key, w.seq, w.kind, 3));
          }
        }
        return;
      }
      if (a == null) {
        a = new long[(int) s.keys];
        b = new long[(int) s.keys];
        java.util.Arrays.fill(a, -1);
        java.util.Arrays.fill(b, -1);
      }
      for (int p = 0; p < s.splits; p++) {
        Walker w = new Walker(s, p, 0);
        for (long n = s.rowsOf(p); w.j < n; ) {
          w.next();
          int k = (int) w.key;
          if (w.kind == RowKind.DELETE.toByteValue()) {
            a[k] = b[k] = -1;
          } else {
            if ((w.group & 1) != 0) {
              a[k] =
                  Math.max(
                      a[k], w.seq); // LOAD_UPDATE: another split's load may come later in this loop
            }
            if ((w.group & 2) != 0) {
              b[k] = Math.max(b[k], w.seq);
            }
          }
        }
      }
    }

    void finish() {
      if (a == null) {
        return;
      }
      Spec s = new Spec();
      s.partitions = partitions;
      count = 0;
      hash = 0;
      for (int k = 0; k < a.length; k++) {
        if (a[k] < 0) {
          continue;
        }
        count++;
        GenericRowData r = row(s, k, a[k], (byte) 0, 3);
        if (b[k] != a[k]) {
          GenericRowData q = row(s, k, b[k], (byte) 0, 3);
          r.setField(5, q.getField(5));
          r.setField(6, q.getField(6));
          r.setField(7, q.getField(7));
          r.setField(8, TimestampData.fromEpochMillis(TS0 + Math.max(a[k], b[k])));
        }
        hash += rowHash(r);
      }
    }
  }

  private Gen() {}
}
