package io.hudilite.examples;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.types.RowKind;

/**
 * Debezium's JSON envelopes of orders as rows in Flink's internal form: {@code after} of creations,
 * reads and updates as {@code UPDATE_AFTER}, {@code before} of deletes as {@code DELETE}. A row is
 * of {@link KafkaOrdersJob#ROW_TYPE}. Tombstones are left out: the delete before them says it all.
 */
final class DebeziumOrders implements DeserializationSchema<RowData> {
  private static final long serialVersionUID = 1;

  private transient ObjectMapper json;

  @Override
  public void open(InitializationContext context) {
    json = new ObjectMapper();
  }

  /** Null, which Flink leaves out, for a tombstone. */
  @Override
  public RowData deserialize(byte[] message) throws IOException {
    if (message == null) {
      return null;
    }
    JsonNode envelope = json.readTree(message);
    boolean isDelete = envelope.path("op").asText().equals("d");
    JsonNode row = envelope.path(isDelete ? "before" : "after");
    if (!row.isObject()) {
      throw new IOException("Not a change of an order: " + envelope);
    }
    return GenericRowData.ofKind(
        isDelete ? RowKind.DELETE : RowKind.UPDATE_AFTER,
        row.path("order_id").asLong(),
        StringData.fromString(row.path("user_id").asText()),
        DecimalData.fromBigDecimal(new BigDecimal(row.path("amount").asText()), 10, 2),
        StringData.fromString(row.path("status").asText()),
        TimestampData.fromLocalDateTime(
            LocalDateTime.parse(row.path("ts").asText().replace(" ", "T"))),
        StringData.fromString(row.path("dt").asText()));
  }

  @Override
  public boolean isEndOfStream(RowData row) {
    return false;
  }

  @Override
  public TypeInformation<RowData> getProducedType() {
    return InternalTypeInfo.of(KafkaOrdersJob.ROW_TYPE);
  }
}
