package io.hudilite.sink.assign;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.hudilite.core.config.MergeMode;
import io.hudilite.core.file.FileId;
import io.hudilite.core.merge.RecordMerger;
import io.hudilite.sink.config.IndexScope;
import io.hudilite.sink.record.HudiRecord;
import io.hudilite.sink.record.RecordKeySelector;
import io.hudilite.sink.record.RecordTypeInfo;
import io.hudilite.sink.record.Records;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a key costs that the index knows: objects for each of its rows, and bytes of state. */
class KnownKeyTest {
  private static final Logger LOG = LoggerFactory.getLogger(KnownKeyTest.class);

  private static final int CALLS = 200_000;

  /** By the JVM, for what is not ours: loaded classes, compiled code. */
  private static final long NOISE_BYTES = 200_000;

  /** Of the state of each backend, as the job has them. */
  private static final AtomicLong ALLOCATED = new AtomicLong();

  private static final AtomicLong STATE_BYTES = new AtomicLong();

  @TempDir Path folder;

  private static long[] allocatedByAssigning(RecordIndex index, HudiRecord record)
      throws Exception {
    Assignment assignment =
        new Assignment(
            index,
            new GroupDictionary(),
            Set.of(),
            new FileGroupAllocator(
                1 << 20, 1, partition -> List.of(), () -> FileId.of(new UUID(7, 1))),
            RecordMerger.of(MergeMode.EVENT_TIME_ORDERING),
            IndexScope.TABLE,
            Assignment.Rows.BY_MERGE_RULE,
            null,
            null,
            located -> {});
    HudiRecord[] newer = new HudiRecord[1_000];
    for (int i = 0; i < newer.length; i++) {
      newer[i] = Records.upsert(record.recordKey(), record.partitionPath(), i + 2, "body");
    }
    assignment.assign(record);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    long before = 0;
    for (int i = 0; i < 2 * CALLS; i++) {
      if (i == CALLS) { // all is loaded and warm
        before = threads.getThreadAllocatedBytes(thread);
      }
      assignment.assign(newer[i % newer.length]);
    }
    return new long[] {threads.getThreadAllocatedBytes(thread) - before};
  }

  @Test
  void assigningAKnownKeyOfABatchJobMakesNoObjects() throws Exception {
    assertThat(
            allocatedByAssigning(new HeapIndex(), Records.upsert("key", "dt=2026", 1, "body"))[0])
        .isLessThan(NOISE_BYTES);
  }

  @Test
  void assigningAKnownKeyOfAStreamingJobMakesNoObjects() throws Exception {
    ALLOCATED.set(-1);
    run(1, Map.of("state.backend.type", "hashmap"), new Allocation());
    assertThat(ALLOCATED.get()).isBetween(0L, NOISE_BYTES);
  }

  /** Assigns the rows of one key. */
  private static final class Allocation extends KeyedProcessFunction<Object, HudiRecord, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(HudiRecord record, Context context, Collector<Long> out)
        throws Exception {
      FlinkStateIndex index =
          new FlinkStateIndex(
              getRuntimeContext()
                  .getState(
                      new ValueStateDescriptor<>("hudi-index", KeyLocationSerializer.INSTANCE)),
              key -> {});
      ALLOCATED.set(allocatedByAssigning(index, record)[0]);
    }
  }

  /** {@code -Dhudi-lite.keys=2000000} for the figure of docs/benchmarks.md. */
  @Test
  void keyInRocksDbTakesLessThan40BytesBesideItself() throws Exception {
    int keys = Integer.getInteger("hudi-lite.keys", 100_000);
    STATE_BYTES.set(-1);
    Filling.files = folder.resolve("rocksdb");
    run(
        keys,
        Map.of(
            "state.backend.type", "rocksdb",
            "state.backend.rocksdb.localdir", Filling.files.toString(),
            "execution.checkpointing.dir", folder.resolve("checkpoints").toUri().toString(),
            "state.checkpoints.dir", folder.resolve("checkpoints").toUri().toString(),
            "execution.checkpointing.incremental", "true",
            "state.backend.incremental", "true",
            "execution.checkpointing.interval", "10min"),
        new Filling());
    double besideKey = STATE_BYTES.get() / (double) keys - key(0).length();
    LOG.info(
        "{} keys of {} bytes: {} bytes in SST files, {} beside each key",
        keys,
        key(0).length(),
        STATE_BYTES,
        besideKey);
    assertThat(besideKey).isLessThan(40);
    assertThat(STATE_BYTES.get()).isPositive();
  }

  /** 20 characters that do not repeat each other. */
  private static String key(long number) {
    return "%020d".formatted(Math.floorMod(number * 0x9E3779B97F4A7C15L, 1L << 62));
  }

  /** Puts keys into the index, each in one of 64 file groups. */
  private static final class Filling extends KeyedProcessFunction<Object, HudiRecord, Long>
      implements CheckpointListener {
    private static final long serialVersionUID = 1L;
    private static Path files;

    private transient ValueState<KeyLocation> state;

    @Override
    public void open(OpenContext context) {
      state =
          getRuntimeContext()
              .getState(new ValueStateDescriptor<>("hudi-index", KeyLocationSerializer.INSTANCE));
    }

    @Override
    public void processElement(HudiRecord record, Context context, Collector<Long> out)
        throws Exception {
      long group = (record.keyHash() & 63) * 0x9E3779B97F4A7C15L;
      state.update(new KeyLocation(group, record.ordering(), false));
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws IOException {
      try (Stream<Path> found = Files.walk(files)) {
        STATE_BYTES.set(
            found.filter(file -> file.toString().endsWith(".sst")).mapToLong(Filling::size).sum());
      }
    }

    private static long size(Path file) {
      try {
        return Files.size(file);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // keys are of a class of the package of records
  private static void run(
      int keys, Map<String, String> settings, KeyedProcessFunction<Object, HudiRecord, Long> index)
      throws Exception {
    StreamExecutionEnvironment env =
        StreamExecutionEnvironment.createLocalEnvironment(Configuration.fromMap(settings));
    env.setParallelism(1);
    DataStream<HudiRecord> records =
        env.fromSequence(1, keys)
            .map(
                i ->
                    Records.upsert(key(i), "dt=2026", 1_790_000_000_000L + i * 37 % 86_400_000, ""))
            .returns(RecordTypeInfo.ofRecords("t", RowType.of()));
    records
        .keyBy(new RecordKeySelector(IndexScope.TABLE), RecordTypeInfo.KEY)
        .process((KeyedProcessFunction) index, Types.LONG)
        .sinkTo(new DiscardingSink<>());
    env.execute();
  }
}
