package io.hudilite.sink;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
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

/**
 * Hands out one group of rows per checkpoint: the next group comes when a checkpoint behind the one
 * before is complete. One reader. Starts again behind the last group of its checkpoint. The script
 * is kept in this JVM, so it need not be serializable.
 */
final class ScriptedSource implements Source<RowData, ScriptedSource.Split, Boolean> {
  private static final long serialVersionUID = 1L;
  private static final Map<String, ScriptedSource> SCRIPTS = new ConcurrentHashMap<>();

  /**
   * What happens before a row is handed out, and once more behind the last row of the group; may
   * throw, to make the source fail. No barrier passes while a group is handed out.
   */
  interface Hook {
    void before(int group, int row) throws Exception;
  }

  private final String id = UUID.randomUUID().toString();
  private final boolean isBounded;
  private transient List<List<RowData>> groups;
  private int number;
  private transient Hook hook = (group, row) -> {};

  private ScriptedSource(boolean isBounded, List<List<RowData>> groups) {
    this.isBounded = isBounded;
    this.groups = List.copyOf(groups);
    SCRIPTS.put(id, this);
  }

  /** Ends behind the last group. */
  static ScriptedSource bounded(List<List<RowData>> groups) {
    return new ScriptedSource(true, groups);
  }

  /** Waits for ever behind the last group. */
  static ScriptedSource unbounded(List<List<RowData>> groups) {
    return new ScriptedSource(false, groups);
  }

  ScriptedSource hook(Hook hook) {
    this.hook = requireNonNull(hook);
    return this;
  }

  /** Lets a restored job begin this script anew: its state is not that of another script. */
  ScriptedSource fresh(int number) {
    this.number = number;
    return this;
  }

  String uid() {
    return "script-" + number;
  }

  @Override
  public Boundedness getBoundedness() {
    return isBounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public SplitEnumerator<Split, Boolean> createEnumerator(SplitEnumeratorContext<Split> context) {
    return new Enumerator(context, false);
  }

  @Override
  public SplitEnumerator<Split, Boolean> restoreEnumerator(
      SplitEnumeratorContext<Split> context, Boolean isAssigned) {
    return new Enumerator(context, isAssigned);
  }

  @Override
  public SimpleVersionedSerializer<Split> getSplitSerializer() {
    return new SplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<Boolean> getEnumeratorCheckpointSerializer() {
    return new FlagSerializer();
  }

  @Override
  public SourceReader<RowData, Split> createReader(SourceReaderContext context) {
    return new Reader(SCRIPTS.get(id));
  }

  record Split(int nextGroup) implements SourceSplit, Serializable {
    @Override
    public String splitId() {
      return "script";
    }
  }

  private static final class Enumerator implements SplitEnumerator<Split, Boolean> {
    private final SplitEnumeratorContext<Split> context;
    private boolean isAssigned;
    private final List<Split> back = new ArrayList<>();

    private Enumerator(SplitEnumeratorContext<Split> context, boolean isAssigned) {
      this.context = context;
      this.isAssigned = isAssigned;
    }

    @Override
    public void start() {}

    @Override
    public void handleSplitRequest(int subtask, @Nullable String host) {}

    @Override
    public void addSplitsBack(List<Split> splits, int subtask) {
      back.addAll(splits);
    }

    @Override
    public void addReader(int subtask) {
      if (!back.isEmpty()) {
        context.assignSplit(back.remove(0), subtask);
      } else if (!isAssigned) {
        isAssigned = true;
        context.assignSplit(new Split(0), subtask);
      }
      context.signalNoMoreSplits(subtask);
    }

    @Override
    public Boolean snapshotState(long checkpointId) {
      return isAssigned;
    }

    @Override
    public void close() {}
  }

  private static final class Reader implements SourceReader<RowData, Split> {
    private final ScriptedSource script;
    private final TreeMap<Long, Integer> groupsAtCheckpoint = new TreeMap<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();
    @Nullable private Split split;
    private boolean hasAll;
    private int group;
    private int released;

    private Reader(ScriptedSource script) {
      this.script = script;
    }

    @Override
    public void start() {}

    @Override
    public InputStatus pollNext(ReaderOutput<RowData> output) throws Exception {
      if (split == null) {
        return hasAll ? InputStatus.END_OF_INPUT : waitForMore();
      }
      if (group == script.groups.size()) {
        return script.isBounded ? InputStatus.END_OF_INPUT : waitForMore();
      }
      if (group > released) {
        return waitForMore();
      }
      // In one call: between two calls a barrier may pass, and a group belongs to one checkpoint.
      List<RowData> rows = script.groups.get(group);
      for (int row = 0; row < rows.size(); row++) {
        script.hook.before(group, row);
        output.collect(rows.get(row));
      }
      script.hook.before(group, rows.size());
      group++;
      return InputStatus.MORE_AVAILABLE;
    }

    private InputStatus waitForMore() {
      if (available.isDone()) {
        available = new CompletableFuture<>();
      }
      return InputStatus.NOTHING_AVAILABLE;
    }

    @Override
    public List<Split> snapshotState(long checkpointId) {
      groupsAtCheckpoint.put(checkpointId, group);
      return split == null ? List.of() : List.of(new Split(group));
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      Map.Entry<Long, Integer> newest = groupsAtCheckpoint.floorEntry(checkpointId);
      if (newest != null) {
        released = Math.max(released, newest.getValue());
        available.complete(null);
      }
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return available;
    }

    @Override
    public void addSplits(List<Split> splits) {
      split = splits.get(0);
      group = split.nextGroup();
      released = group;
      available.complete(null);
    }

    @Override
    public void notifyNoMoreSplits() {
      hasAll = true;
      available.complete(null);
    }

    @Override
    public void close() {}
  }

  private static final class SplitSerializer implements SimpleVersionedSerializer<Split> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Split split) {
      return ByteBuffer.allocate(4).putInt(split.nextGroup()).array();
    }

    @Override
    public Split deserialize(int version, byte[] bytes) {
      return new Split(ByteBuffer.wrap(bytes).getInt());
    }
  }

  private static final class FlagSerializer implements SimpleVersionedSerializer<Boolean> {
    @Override
    public int getVersion() {
      return 1;
    }

    @Override
    public byte[] serialize(Boolean flag) {
      return new byte[] {(byte) (flag ? 1 : 0)};
    }

    @Override
    public Boolean deserialize(int version, byte[] bytes) {
      return bytes[0] == 1;
    }
  }
}
