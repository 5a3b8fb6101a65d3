package io.hudilite.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.key.KeyExtractor;
import io.hudilite.core.key.KeyFormat;
import io.hudilite.core.key.KeyGenerator;
import io.hudilite.core.schema.TableSchema;
import io.hudilite.source.config.PartitionFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.table.connector.source.DynamicFilteringData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;

/**
 * Random tables, random rows on the other side of a join: a partition is read if a row of it can
 * find a partner, and left out if none can.
 */
class JoinedPartitionsTest {
  private static final List<LogicalType> TYPES =
      List.of(
          VarCharType.STRING_TYPE,
          new IntType(),
          new BigIntType(),
          new SmallIntType(),
          new TinyIntType(),
          new DateType(),
          new BooleanType());
  private static final List<String> TEXTS =
      List.of("a", "b", "a b", "10", "true", "köln", "a/b", "x=y", "100%");

  @Test
  void partitionsWithPartnersAndOnlyTheseAreRead() throws Exception {
    int read = 0;
    int leftOut = 0;
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      int width = 1 + random.nextInt(3);
      List<String> names = IntStream.range(0, width).mapToObj(i -> "p" + i).toList();
      LogicalType[] types =
          IntStream.range(0, width)
              .mapToObj(i -> TYPES.get(random.nextInt(TYPES.size())))
              .toArray(LogicalType[]::new);
      TableSchema schema =
          new TableSchema(
              RowType.of(types, names.toArray(new String[0])), List.of(), names, List.of());
      KeyFormat format =
          new KeyFormat(
              random.nextBoolean(), true, KeyFormat.DEFAULT_PARTITION_NAME, KeyGenerator.COMPLEX);
      List<String> joined = new ArrayList<>(names);
      Collections.shuffle(joined, random);
      joined = joined.subList(0, 1 + random.nextInt(width));
      int[] columns = joined.stream().mapToInt(names::indexOf).toArray();

      List<List<Object>> partners = new ArrayList<>();
      for (int i = random.nextInt(6); i > 0; i--) {
        partners.add(values(random, types, columns, 0));
      }
      PartitionFilter filter =
          InstantiationUtil.clone(
              new JoinedPartitions(schema, format, joined).of(data(types, columns, partners)));
      KeyExtractor keys = new KeyExtractor(schema, format);
      int[] all = IntStream.range(0, width).toArray();
      for (int i = 0; i < 20; i++) {
        List<Object> row = values(random, types, all, 9);
        List<Object> own = IntStream.of(columns).mapToObj(row::get).toList();
        String path = keys.partitionPath(GenericRowData.of(row.toArray()));
        if (partners.contains(own)) {
          assertThat(filter.test(path)).as("seed %d: %s", seed, path).isTrue();
          read++;
        } else if (!own.contains(null)) {
          assertThat(filter.test(path)).as("seed %d: %s", seed, path).isFalse();
          leftOut++;
        }
      }
    }
    assertThat(read).isGreaterThan(500);
    assertThat(leftOut).isGreaterThan(500);
  }

  @Test
  void allPartitionsAreReadIfTheOtherSideIsTooLargeToTell() {
    TableSchema schema =
        new TableSchema(
            RowType.of(new LogicalType[] {new IntType()}, new String[] {"p"}),
            List.of(),
            List.of("p"),
            List.of());
    KeyFormat format =
        new KeyFormat(false, false, KeyFormat.DEFAULT_PARTITION_NAME, KeyGenerator.SIMPLE);
    RowType type = RowType.of(new IntType());
    DynamicFilteringData data =
        new DynamicFilteringData(InternalTypeInfo.of(type), type, List.of(), false);
    assertThat(new JoinedPartitions(schema, format, List.of("p")).of(data).test("7")).isTrue();
  }

  private static DynamicFilteringData data(
      LogicalType[] types, int[] columns, List<List<Object>> rows) throws Exception {
    RowType type =
        RowType.of(IntStream.of(columns).mapToObj(i -> types[i]).toArray(LogicalType[]::new));
    InternalTypeInfo<RowData> info = InternalTypeInfo.of(type);
    List<byte[]> serialized = new ArrayList<>();
    for (List<Object> row : Set.copyOf(new HashSet<>(rows))) {
      DataOutputSerializer out = new DataOutputSerializer(64);
      info.toRowSerializer().serialize(GenericRowData.of(row.toArray()), out);
      serialized.add(out.getCopyOfBuffer());
    }
    return new DynamicFilteringData(info, type, serialized, true);
  }

  /**
   * @param nulls one of so many values is null; 0 for none
   */
  private static List<Object> values(Random random, LogicalType[] types, int[] columns, int nulls) {
    List<Object> values = new ArrayList<>();
    for (int column : columns) {
      int number = random.nextInt(4);
      values.add(
          nulls > 0 && random.nextInt(nulls) == 0
              ? null
              : switch (types[column].getTypeRoot()) {
                case VARCHAR -> StringData.fromString(TEXTS.get(random.nextInt(TEXTS.size())));
                case INTEGER -> number - 1;
                case BIGINT -> number * 3_000_000_000L;
                case SMALLINT -> (short) (number - 1);
                case TINYINT -> (byte) (number - 1);
                case DATE -> number * 1000 - 1;
                case BOOLEAN -> number > 1;
                default -> throw new IllegalStateException();
              });
    }
    return values;
  }
}
