package io.hudilite.core.merge;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.schema.TableSchema;
import java.util.List;
import java.util.Set;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.TimestampType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ordering columns are compared with all their digits and given with the digits that are wanted.
 */
class OrderingTimesTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 6})
  void digitsOfOrderingTimesAreReadAllAndGivenAsWanted(int digits) {
    RowType stored =
        RowType.of(
            new LogicalType[] {new IntType(), new LocalZonedTimestampType(6)},
            new String[] {"id", "ts"});
    TableSchema schema = new TableSchema(stored, List.of("id"), List.of(), List.of("ts"));
    RowType wanted =
        RowType.of(
            new LogicalType[] {new TimestampType(digits), new IntType()},
            new String[] {"ts", "id"});
    RowType read = SliceColumns.of(wanted, schema, Set.of("ts")).read();
    assertThat(read.getTypeAt(0)).isEqualTo(new TimestampType(6));
    // Others than ordering columns are read as they are wanted.
    assertThat(SliceColumns.of(wanted, schema, Set.of()).read().getTypeAt(0))
        .isEqualTo(new TimestampType(digits));

    TimestampData time = TimestampData.fromEpochMillis(1_767_225_600_123L, 456_000);
    BinaryRowData row = new RowDataSerializer(read).toBinaryRow(GenericRowData.of(time, 7)).copy();
    assertThat(row.getTimestamp(0, 6)).isEqualTo(time);
    new WantedTimes(read, wanted).shorten(row);
    TimestampData given = row.getTimestamp(0, digits);
    assertThat(given.getMillisecond()).isEqualTo(time.getMillisecond());
    assertThat(given.getNanoOfMillisecond()).isEqualTo(digits == 6 ? 456_000 : 0);
    assertThat(row.getInt(1)).isEqualTo(7);
  }
}
