package io.hudilite.core.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class AvroContainerTest {

  /** Avro keeps something for each object as long as the thread lives. */
  @Test
  void filesOfOneSchemaAreReadWithOneObject() throws CorruptInstantException {
    Schema first = schemaOf("a");
    assertThat(schemaOf("b")).isSameAs(first);
  }

  private static Schema schemaOf(String value) throws CorruptInstantException {
    byte[] content =
        CommitMetadataCodec.encode(
            CommitMetadata.ofWrite("UPSERT", List.of(), Map.of("k", value)), Action.DELTA_COMMIT);
    return AvroContainer.decode(content, "test").getSchema();
  }
}
