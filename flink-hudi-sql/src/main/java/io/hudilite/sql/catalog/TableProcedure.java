package io.hudilite.sql.catalog;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.sink.maintenance.Argument;
import io.hudilite.sink.maintenance.Call;
import io.hudilite.sink.maintenance.JobRunner;
import io.hudilite.sink.maintenance.Operation;
import io.hudilite.sink.maintenance.Operations;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.procedure.ProcedureContext;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.types.Row;

/**
 * An {@link Operation} as Flink calls it. Flink reads names and types of the arguments and of the
 * result from annotations, so each operation has a class of its own; all that is done is here.
 */
public abstract class TableProcedure implements Procedure {
  private final Operation operation;
  private final TablePaths tables;

  TableProcedure(String operation, TablePaths tables) {
    this.operation = Operations.of(operation);
    this.tables = requireNonNull(tables, "tables");
  }

  /** Where the table of a call is. */
  @FunctionalInterface
  interface TablePaths {
    /**
     * @param name {@code database.table}, or the path of a table anywhere
     * @throws HudiTableException if there is no such table
     */
    String pathOf(String name);
  }

  /**
   * @param values of the operation's arguments, in their order; null for those that are not given
   */
  final Row[] run(ProcedureContext context, String table, Object... values) throws Exception {
    Map<String, Object> given = new HashMap<>();
    List<Argument> arguments = operation.arguments();
    for (int i = 0; i < values.length; i++) {
      if (values[i] != null) {
        given.put(arguments.get(i).name(), values[i]);
      }
    }
    Call call =
        Call.of(operation, tables.pathOf(table), given, jobs(context), InstantSource.system());
    return operation.body().run(call).stream().map(Row::of).toArray(Row[]::new);
  }

  /** A procedure answers when its job has ended, also where the session submits without waiting. */
  private static JobRunner jobs(ProcedureContext context) {
    return (name, job) -> {
      StreamExecutionEnvironment env = context.getExecutionEnvironment();
      env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
      job.accept(env);
      JobClient client = env.executeAsync(name);
      client.getJobExecutionResult().get();
      return true;
    };
  }
}
