package io.hudilite.sink.record;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import org.apache.flink.runtime.io.network.api.writer.SubtaskStateMapper;
import org.apache.flink.runtime.plugable.SerializationDelegate;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.transformations.PartitionTransformation;
import org.apache.flink.streaming.runtime.partitioner.StreamPartitioner;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Sends each record to the task that something in it tells. Flink has {@code partitionCustom} for
 * that, but refuses unaligned checkpoints then, as it cannot know that a record goes to one task
 * for one parallelism, always. Here it does: after a change of the parallelism all tasks read what
 * was on its way, and take what is their own.
 */
public final class RecordShuffle extends StreamPartitioner<HudiRecord> {
  private static final long serialVersionUID = 1L;

  private final Channel channel;

  /** Tells the task of a record: a pure function. */
  @FunctionalInterface
  public interface Channel extends Serializable {
    /**
     * The channel of a record.
     *
     * @return less than {@code channels}
     */
    int of(HudiRecord record, int channels);
  }

  private RecordShuffle(Channel channel) {
    this.channel = requireNonNull(channel, "channel");
  }

  /** The records on their way to the tasks of the next operator. */
  public static DataStream<HudiRecord> of(DataStream<HudiRecord> records, Channel channel) {
    return new DataStream<>(
        records.getExecutionEnvironment(),
        new PartitionTransformation<>(records.getTransformation(), new RecordShuffle(channel)));
  }

  @Override
  public int selectChannel(SerializationDelegate<StreamRecord<HudiRecord>> record) {
    return channel.of(record.getInstance().getValue(), numberOfChannels);
  }

  @Override
  public StreamPartitioner<HudiRecord> copy() {
    return new RecordShuffle(channel);
  }

  @Override
  public SubtaskStateMapper getDownstreamSubtaskStateMapper() {
    return SubtaskStateMapper.FULL;
  }

  @Override
  public boolean isPointwise() {
    return false;
  }

  @Override
  public String toString() {
    return "HASH";
  }
}
