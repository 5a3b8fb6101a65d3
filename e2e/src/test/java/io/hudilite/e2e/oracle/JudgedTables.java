package io.hudilite.e2e.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tables, each with the rows that real Hudi must find in it, and nothing wrong. */
final class JudgedTables {
  /** A table at one time of its life. */
  record State(String name, Path table, List<String> rows) {}

  private final List<State> states = new ArrayList<>();

  /**
   * A table as it is now.
   *
   * @param rows as JSON, in any order
   */
  void add(String name, Path table, List<String> rows) {
    states.add(new State(name, table, rows));
  }

  /**
   * A copy of the table in its folder's folder, as the table will change.
   *
   * @param name of this state, another one for each
   */
  void addCopy(String name, Path table, List<String> rows) throws IOException {
    add(name, TableJobs.copy(table, table.resolveSibling(name)), rows);
  }

  State last() {
    return states.get(states.size() - 1);
  }

  /** Lets Hudi read and validate all. */
  void judge(HudiOracle hudi) throws IOException, InterruptedException {
    List<HudiOracle.Result> reads = new ArrayList<>();
    List<HudiOracle.Result> validations = new ArrayList<>();
    for (State state : states) {
      reads.add(hudi.read(state.table()));
      validations.add(hudi.validate(state.table()));
    }
    hudi.run();
    for (int i = 0; i < states.size(); i++) {
      State state = states.get(i);
      String what = "Hudi %s, %s".formatted(hudi.version(), state.name());
      assertThat(reads.get(i).rows())
          .as(what)
          .containsExactlyInAnyOrderElementsOf(
              state.rows().stream().map(HudiOracle::json).toList());
      JsonNode found = validations.get(i).object();
      assertThat(found.get("failures")).as("%s: %s", what, found).isEmpty();
      assertThat(found.at("/snapshot/rows").asInt()).as(what).isEqualTo(state.rows().size());
      assertThat(found.at("/snapshot/duplicate_keys").asInt()).as(what).isEqualTo(0);
      assertThat(found.at("/snapshot/distinct_keys").asInt())
          .as(what)
          .isEqualTo(state.rows().size());
    }
  }
}
