package io.hudilite.core.table;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.testkit.InMemoryStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class SchemaHistoryTest {
  private static final String FIRST =
      "{\"version_id\":1,\"type\":\"record\",\"fields\":[{\"id\":5,\"name\":\"a\",\"type\":\"int\"},"
          + "{\"id\":6,\"name\":\"r\",\"type\":{\"type\":\"record\",\"fields\":"
          + "[{\"id\":7,\"name\":\"x\",\"type\":\"int\"}]}}]}";

  private static InMemoryStorage history(String secondSchema) throws IOException {
    InMemoryStorage storage = new InMemoryStorage();
    String all = "{\"schemas\":[" + secondSchema + "," + FIRST + "]}";
    storage.createNew(
        ".hoodie/.schema/20260101000000001.schemacommit", all.getBytes(StandardCharsets.UTF_8));
    storage.createNew(".hoodie/.schema/20260101000000002.schemacommit.inflight", new byte[] {1});
    return storage;
  }

  @Test
  void addedAndWidenedColumnsAreFoundByName() throws IOException {
    InMemoryStorage storage =
        history(
            FIRST
                .replace("\"a\",\"type\":\"int\"", "\"a\",\"type\":\"long\"")
                .replace("[{\"id\":5", "[{\"id\":8,\"name\":\"b\",\"type\":\"int\"},{\"id\":5"));
    assertThatCode(() -> SchemaHistory.requireNamesStay(storage)).doesNotThrowAnyException();
    assertThatCode(() -> SchemaHistory.requireNamesStay(new InMemoryStorage()))
        .doesNotThrowAnyException();
  }

  @Test
  void renamedColumnsAreRefused() throws IOException {
    InMemoryStorage storage = history(FIRST.replace("\"x\"", "\"y\""));
    assertThatThrownBy(() -> SchemaHistory.requireNamesStay(storage))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'r.x' was called 'y'");
  }

  @Test
  void columnsThatWereDroppedAndAddedAgainAreRefused() throws IOException {
    InMemoryStorage storage = history(FIRST.replace("{\"id\":5", "{\"id\":9"));
    assertThatThrownBy(() -> SchemaHistory.requireNamesStay(storage))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'a' was dropped and added again");
  }
}
