package io.hudilite.bench;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.table.data.RowData;

/** One split per source subtask; split k goes to subtask k. */
final class GenSource implements Source<RowData, GenSource.Split, Integer> {
  private static final long serialVersionUID = 1L;
  private final String run;
  private final Gen.Spec spec;

  GenSource(String run, Gen.Spec spec) {
    this.run = run;
    this.spec = spec;
  }

  @Override
  public Boundedness getBoundedness() {
    return spec.hold ? Boundedness.CONTINUOUS_UNBOUNDED : Boundedness.BOUNDED;
  }

  @Override
  public SourceReader<RowData, Split> createReader(SourceReaderContext ctx) {
    return new Reader(run, spec);
  }

  @Override
  public SplitEnumerator<Split, Integer> createEnumerator(SplitEnumeratorContext<Split> ctx) {
    return new Enumerator(ctx, false);
  }

  @Override
  public SplitEnumerator<Split, Integer> restoreEnumerator(
      SplitEnumeratorContext<Split> ctx, Integer s) {
    return new Enumerator(ctx, true);
  }

  @Override
  public SimpleVersionedSerializer<Split> getSplitSerializer() {
    return new SplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Integer> getEnumeratorCheckpointSerializer() {
    return new IntSerializer();
  }

  static final class Split implements SourceSplit {
    final int index;
    final long pos;

    Split(int index, long pos) {
      this.index = index;
      this.pos = pos;
    }

    @Override
    public String splitId() {
      return "s" + index;
    }
  }

  static final class SplitSerializer implements SimpleVersionedSerializer<Split> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Split s) {
      return ByteBuffer.allocate(12).putInt(s.index).putLong(s.pos).array();
    }

    @Override
    public Split deserialize(int v, byte[] b) {
      ByteBuffer bb = ByteBuffer.wrap(b);
      return new Split(bb.getInt(), bb.getLong());
    }
  }

  static final class IntSerializer implements SimpleVersionedSerializer<Integer> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Integer i) {
      return ByteBuffer.allocate(4).putInt(i).array();
    }

    @Override
    public Integer deserialize(int v, byte[] b) throws IOException {
      return new DataInputStream(new ByteArrayInputStream(b)).readInt();
    }
  }

  private static final class Enumerator implements SplitEnumerator<Split, Integer> {
    private final SplitEnumeratorContext<Split> ctx;
    private final boolean restored;

    Enumerator(SplitEnumeratorContext<Split> ctx, boolean restored) {
      this.ctx = ctx;
      this.restored = restored;
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<Split> splits, int subtask) {
      for (Split s : splits) {
        ctx.assignSplit(s, s.index);
      }
    }

    @Override
    public void addReader(int subtask) {
      if (!restored) {
        ctx.assignSplit(new Split(subtask, 0), subtask);
      }
    }

    @Override
    public Integer snapshotState(long id) {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static final class Reader implements SourceReader<RowData, Split> {
    private static final int CHUNK = 32;
    private final Control.Run run;
    private final Gen.Spec spec;
    private Gen.Walker w;
    private long n;
    private long quota;
    private long inBatch;
    private boolean gated;
    private boolean done;
    private CompletableFuture<Void> avail = new CompletableFuture<>();

    Reader(String run, Gen.Spec spec) {
      this.run = Control.RUNS.get(run);
      this.spec = spec;
      quota = spec.perCommit <= 0 ? Long.MAX_VALUE : Math.max(1, spec.perCommit / spec.splits);
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<RowData> out) throws Exception {
      if (w == null || gated || done) {
        return wait1();
      }
      int c = 0;
      while (c < CHUNK && w.j < n && inBatch < quota) {
        w.next();
        out.collect(Gen.row(spec, w.key, w.seq, w.kind, w.group));
        c++;
        inBatch++;
      }
      if (run.firstNanos == 0) {
        run.firstNanos = System.nanoTime();
      }
      run.emitted.addAndGet(c);
      if (w.j >= n) {
        run.batch.incrementAndGet(w.split);
        run.done.set(w.split, 1);
        if (!spec.hold) {
          return InputStatus.END_OF_INPUT;
        }
        done = true;
        return wait1();
      }
      if (inBatch >= quota) {
        gated = true;
        run.batch.incrementAndGet(w.split);
        return wait1();
      }
      return InputStatus.MORE_AVAILABLE;
    }

    private InputStatus wait1() {
      if (avail.isDone()) {
        avail = new CompletableFuture<>();
      }
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<Split> snapshotState(long id) {
      if (gated) {
        gated = false;
        inBatch = 0;
        avail.complete(null);
      }
      return w == null
          ? Collections.emptyList()
          : new ArrayList<>(Collections.singletonList(new Split(w.split, w.j)));
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return w == null || gated || done ? avail : CompletableFuture.completedFuture(null);
    }

    @Override
    public void addSplits(List<Split> splits) {
      Split s = splits.get(0);
      w = new Gen.Walker(spec, s.index, s.pos);
      n = spec.rowsOf(s.index);
      run.batch.set(s.index, 0); // after a failure the attempt begins anew
      run.done.set(s.index, 0);
      avail.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {}

    @Override
    public void close() {}
  }
}
