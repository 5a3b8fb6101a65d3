package io.hudilite.sink.write;

import static java.util.Objects.requireNonNull;

import io.hudilite.sink.commit.CommitCoordinator;
import io.hudilite.sink.commit.CommitSettings;
import io.hudilite.sink.record.HudiRecord;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes writers, and their coordinator. */
public final class StreamWriterFactory extends AbstractStreamOperatorFactory<HudiRecord>
    implements CoordinatedOperatorFactory<HudiRecord>,
        OneInputStreamOperatorFactory<HudiRecord, HudiRecord> {
  private static final long serialVersionUID = 1L;

  private final WriteSettings writing;
  private final CommitSettings committing;

  public StreamWriterFactory(WriteSettings writing, CommitSettings committing) {
    this.writing = requireNonNull(writing, "writing");
    this.committing = requireNonNull(committing, "committing");
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Flink declares it
  public <T extends StreamOperator<HudiRecord>> T createStreamOperator(
      StreamOperatorParameters<HudiRecord> parameters) {
    return (T) new StreamWriter(parameters, writing);
  }

  @Override
  public OperatorCoordinator.Provider getCoordinatorProvider(
      String operatorName, OperatorID operatorId) {
    return CommitCoordinator.provider(operatorId, committing);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return StreamWriter.class;
  }
}
