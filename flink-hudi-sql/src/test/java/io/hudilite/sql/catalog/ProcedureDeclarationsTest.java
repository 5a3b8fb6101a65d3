package io.hudilite.sql.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.sink.maintenance.Argument;
import io.hudilite.sink.maintenance.Operation;
import io.hudilite.sink.maintenance.Operations;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.flink.table.annotation.ArgumentHint;
import org.apache.flink.table.annotation.ProcedureHint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Flink reads from annotations is what the operations say. */
class ProcedureDeclarationsTest {
  @TempDir Path folder;

  @Test
  void eachOperationIsAProcedureOfItsNameArgumentsAndResult() {
    Procedures procedures =
        new Procedures("c", "default", new CatalogFolders(folder.toUri().toString()));
    assertThat(Procedures.names())
        .containsExactlyInAnyOrderElementsOf(
            Stream.concat(Operations.all().stream().map(Operation::name), Stream.of("rollback"))
                .toList());
    for (Operation operation : Operations.all()) {
      TableProcedure procedure = procedures.find(operation.name()).orElseThrow();
      Method call =
          Arrays.stream(procedure.getClass().getMethods())
              .filter(method -> method.getName().equals("call"))
              .findFirst()
              .orElseThrow();
      ProcedureHint hint = call.getAnnotation(ProcedureHint.class);
      List<String> wanted = new ArrayList<>(List.of("table_name STRING false"));
      for (Argument argument : operation.arguments()) {
        wanted.add(
            argument.name() + " " + argument.kind().sqlType() + " " + !argument.isRequired());
      }
      assertThat(hint.argument())
          .as(operation.name())
          .extracting(ProcedureDeclarationsTest::text)
          .containsExactlyElementsOf(wanted);
      assertThat(hint.output().value())
          .as(operation.name())
          .isEqualTo(
              operation.result().stream()
                  .map(column -> column.name() + " " + column.kind().sqlType())
                  .collect(Collectors.joining(", ", "ROW<", ">")));
      assertThat(call.getParameterCount()).isEqualTo(wanted.size() + 1);
    }
  }

  private static String text(ArgumentHint hint) {
    return hint.name() + " " + hint.type().value() + " " + hint.isOptional();
  }
}
