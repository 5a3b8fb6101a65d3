package io.hudilite.sink;

import static io.hudilite.sink.SinkJob.after;
import static io.hudilite.sink.SinkJob.insert;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Cases about which version of a row counts: F18 to F25. */
class MergeCasesTest {
  @TempDir Path folder;

  @Test
  void f18OlderRowNeverBeatsANewerOne() throws Exception {
    SinkJob job = SinkJob.on(folder);
    job.run(List.of(insert("k1", "v2", 2, "p1")), List.of(after("k1", "v5", 5, "p1")));
    assertThat(job.rows()).containsExactly("[k1, v5, 5, p1]");
    job.run(List.of(after("k1", "v1", 1, "p1")), List.of(after("k1", "v3", 3, "p1")));
    assertThat(job.rows()).containsExactly("[k1, v5, 5, p1]");
    job.assertNothingIsPending();
  }
}
