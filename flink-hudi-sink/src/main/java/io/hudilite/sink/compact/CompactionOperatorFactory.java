package io.hudilite.sink.compact;

import static java.util.Objects.requireNonNull;

import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * Makes compaction operators, and their coordinator.
 *
 * @param <T> type of the stream that the operator is put behind, of which it takes nothing
 */
public final class CompactionOperatorFactory<T> extends AbstractStreamOperatorFactory<T>
    implements CoordinatedOperatorFactory<T>, OneInputStreamOperatorFactory<T, T> {
  private static final long serialVersionUID = 1L;

  private final CompactionSettings settings;

  public CompactionOperatorFactory(CompactionSettings settings) {
    this.settings = requireNonNull(settings, "settings");
  }

  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Flink declares it
  public <O extends StreamOperator<T>> O createStreamOperator(
      StreamOperatorParameters<T> parameters) {
    return (O) new CompactionOperator<>(parameters, settings);
  }

  @Override
  public OperatorCoordinator.Provider getCoordinatorProvider(
      String operatorName, OperatorID operatorId) {
    return CompactionCoordinator.provider(operatorId, settings);
  }

  @Override
  @SuppressWarnings("rawtypes")
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return CompactionOperator.class;
  }
}
