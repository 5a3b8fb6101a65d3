package io.hudilite.sink.commit;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.InstantSource;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;

/**
 * Makes a coordinator in the job manager. Travels in the job graph, with what the coordinator needs
 * to know.
 *
 * @param <S> settings of the coordinator
 */
public final class CoordinatorProvider<S extends Serializable>
    implements OperatorCoordinator.Provider {
  private static final long serialVersionUID = 1L;

  private final OperatorID operatorId;
  private final S settings;
  private final Maker<S> maker;

  /** A constructor of coordinators. */
  @FunctionalInterface
  public interface Maker<S> extends Serializable {
    /**
     * Makes a coordinator.
     *
     * @param clock the wall clock
     */
    OperatorCoordinator make(S settings, OperatorCoordinator.Context context, InstantSource clock);
  }

  public CoordinatorProvider(OperatorID operatorId, S settings, Maker<S> maker) {
    this.operatorId = requireNonNull(operatorId, "operatorId");
    this.settings = requireNonNull(settings, "settings");
    this.maker = requireNonNull(maker, "maker");
  }

  @Override
  public OperatorID getOperatorId() {
    return operatorId;
  }

  @Override
  public OperatorCoordinator create(OperatorCoordinator.Context context) {
    return maker.make(settings, context, InstantSource.system());
  }
}
