package io.hudilite.core.soak;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.storage.LocalStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What table services cost depends on what has changed, not on what the table holds. */
class FlatCostsTest {

  @Test
  void servicesCallTheStorageAsOftenOnALargeTableAsOnASmallOne() throws IOException {
    Map<String, GrowingTable.Cost> small = GrowingTable.costs(new InMemoryStorage(), 100);
    Map<String, GrowingTable.Cost> large = GrowingTable.costs(new InMemoryStorage(), 2_000);
    assertThat(small)
        .containsOnlyKeys(
            "archive",
            "clean: plan and delete",
            "clustering: plan",
            "clustering: plan in a new process",
            "compaction: plan");
    small.forEach(
        (step, cost) -> {
          assertThat(cost.calls()).as(step).isPositive();
          assertThat(large.get(step).calls()).as(step).isLessThanOrEqualTo(cost.calls());
        });
  }

  /** For docs/benchmarks.md. */
  @Tag("soak")
  @Test
  void figuresOnLocalDisk(@TempDir Path folder) throws IOException {
    for (int groups : new int[] {100, 100, 1_000, 10_000}) { // the first one warms up
      LocalStorage storage = new LocalStorage(folder.resolve(groups + "-" + System.nanoTime()));
      GrowingTable.costs(storage, groups)
          .forEach(
              (step, cost) ->
                  System.out.printf(
                      "| %,d | %s | %.0f | %.1f |%n", groups, step, cost.calls(), cost.millis()));
    }
  }
}
