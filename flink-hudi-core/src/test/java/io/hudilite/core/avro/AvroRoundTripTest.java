package io.hudilite.core.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.schema.AvroSchemas;
import io.hudilite.core.schema.Timestamps;
import io.hudilite.core.testkit.RandomRows;
import io.hudilite.core.testkit.RandomRows.Sample;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

/** The judge is Avro's own generic reader and writer. */
final class AvroRoundTripTest {

  @Provide
  Arbitrary<Sample> samples() {
    return Arbitraries.randomValue(random -> new RandomRows(random).next());
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void avroReadsWhatWeWrite(@ForAll("samples") Sample sample) throws IOException {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    byte[] bytes = encode(sample.type(), sample.row());

    GenericRecord judged = read(schema, bytes);

    assertThat(plain(judged, schema)).isEqualTo(RandomRows.plain(sample.row(), sample.type()));
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void weReadWhatAvroWrites(@ForAll("samples") Sample sample) throws IOException {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    GenericRecord generic = read(schema, encode(sample.type(), sample.row()));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    // The blocking encoder gives blocks their size in bytes, which readers may skip by.
    BinaryEncoder encoder = EncoderFactory.get().blockingBinaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(generic, encoder);
    encoder.flush();
    byte[] bytes = out.toByteArray();

    GenericRowData row =
        AvroRowDecoder.create(schema, sample.type()).decode(bytes, 0, bytes.length);

    assertThat(RandomRows.plain(row, sample.type()))
        .isEqualTo(RandomRows.plain(sample.row(), sample.type()));
  }

  private static String hex(BinaryRowData row) {
    byte[] bytes =
        BinarySegmentUtils.copyToBytes(row.getSegments(), row.getOffset(), row.getSizeInBytes());
    return HexFormat.ofDelimiter(" ").formatHex(bytes);
  }

  /** The columns that can be read straight into binary rows, and one more. */
  private static RowType plainColumns(Schema schema, RowType type) {
    List<RowType.RowField> fields = new ArrayList<>();
    for (RowType.RowField field : type.getFields()) {
      RowType alone = new RowType(List.of(field));
      if (AvroBinaryRowDecoder.createIfPlain(schema, alone) != null) {
        fields.add(field);
      }
    }
    fields.add(new RowType.RowField("not_written", new BigIntType()));
    return new RowType(fields);
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void plainColumnsComeInTheBytesThatFlinkWrites(@ForAll("samples") Sample sample)
      throws IOException {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    RowType plain = plainColumns(schema, sample.type());
    byte[] bytes = encode(sample.type(), sample.row());
    AvroBinaryRowDecoder decoder = AvroBinaryRowDecoder.createIfPlain(schema, plain);
    RowDataSerializer serializer = new RowDataSerializer(plain);

    for (int i = 0; i < 2; i++) { // its memory is used again
      GenericRowData expected = AvroRowDecoder.create(schema, plain).decode(bytes, 0, bytes.length);
      byte[] shifted = new byte[bytes.length + 3];
      System.arraycopy(bytes, 0, shifted, 3, bytes.length);

      assertThat(hex(decoder.decode(shifted, 3, bytes.length)))
          .as("%s", plain)
          .isEqualTo(hex(serializer.toBinaryRow(expected)));

      List<RowType.RowField> fields = new ArrayList<>(plain.getFields());
      Collections.reverse(fields);
      RowType reversed = new RowType(fields);
      assertThat(
              RandomRows.plain(
                  AvroBinaryRowDecoder.createIfPlain(schema, reversed)
                      .decode(bytes, 0, bytes.length),
                  reversed))
          .isEqualTo(
              RandomRows.plain(
                  AvroRowDecoder.create(schema, reversed).decode(bytes, 0, bytes.length),
                  reversed));
    }
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void damageIsFoundOrGivesRows(@ForAll("samples") Sample sample, @ForAll long seed)
      throws IOException {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    RowType plain = plainColumns(schema, sample.type());
    byte[] bytes = encode(sample.type(), sample.row());
    Random random = new Random(seed);
    AvroBinaryRowDecoder decoder = AvroBinaryRowDecoder.createIfPlain(schema, plain);
    for (int i = 0; i < 20; i++) {
      byte[] damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
      for (int j = random.nextInt(4); j > 0 && damaged.length > 0; j--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        assertThat(decoder.decode(damaged, 0, damaged.length)).isNotNull();
      } catch (MalformedAvroException e) {
        assertThat(e).hasMessageContaining(" at byte ");
      }
      try {
        for (RowType.RowField field : plain.getFields()) {
          NumberField number = NumberField.find(schema, 0, field.getName(), field.getType());
          if (number != null) {
            number.read(damaged, 0, damaged.length);
          }
        }
      } catch (MalformedAvroException e) {
        assertThat(e).hasMessageContaining(" at byte ");
      }
    }
  }

  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void numbersAreFoundWithoutDecodingTheRest(@ForAll("samples") Sample sample) throws IOException {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    byte[] bytes = encode(sample.type(), sample.row());
    for (int i = 0; i < sample.type().getFieldCount(); i++) {
      NumberField number =
          NumberField.find(
              schema, 0, sample.type().getFieldNames().get(i), sample.type().getTypeAt(i));
      if (number != null) {
        boolean isThere = number.read(bytes, 0, bytes.length);
        assertThat(isThere).isEqualTo(!sample.row().isNullAt(i));
        if (isThere) {
          Object value = sample.row().getField(i);
          long expected =
              value instanceof TimestampData time
                  ? Timestamps.storedUnit(sample.type().getTypeAt(i)).toNumber(time)
                  : ((Number) value).longValue();
          assertThat(number.number()).isEqualTo(expected);
        }
      }
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void binaryRowsGiveTheSameBytes(@ForAll("samples") Sample sample) {
    RowDataSerializer serializer = new RowDataSerializer(sample.type());

    assertThat(encode(sample.type(), serializer.toBinaryRow(sample.row())))
        .isEqualTo(encode(sample.type(), sample.row()));
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void aNarrowerRowIsReadOutOfAWiderRecord(@ForAll("samples") Sample sample, @ForAll int choice)
      throws IOException {
    Schema schema = AvroSchemas.toAvroWithMeta(sample.type(), "t");
    int wanted = Math.floorMod(choice, sample.type().getFieldCount());
    RowType target =
        new RowType(
            List.of(
                new RowType.RowField("unknown", new BigIntType()),
                sample.type().getFields().get(wanted)));
    AvroBuffer out = new AvroBuffer();
    for (int i = 0; i < 5; i++) {
      out.writeInt(1);
      out.writeString("meta" + i);
    }
    new AvroRowEncoder(sample.type()).encode(sample.row(), out);

    GenericRowData row = AvroRowDecoder.create(schema, target).decode(out.array(), 0, out.size());

    List<?> all = (List<?>) RandomRows.plain(sample.row(), sample.type());
    assertThat(RandomRows.plain(row, target)).isEqualTo(Arrays.asList(null, all.get(wanted)));
  }

  @Property(tries = 400, shrinking = ShrinkingMode.OFF)
  void damagedBytesAreAnErrorOrAnotherRow(@ForAll("samples") Sample sample, @ForAll long seed) {
    Schema schema = AvroSchemas.toAvro(sample.type(), "t");
    byte[] bytes = encode(sample.type(), sample.row());
    Random random = new Random(seed);
    byte[] damaged = Arrays.copyOf(bytes, random.nextInt(bytes.length + 1));
    if (damaged.length > 0) {
      damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
    }
    try {
      AvroRowDecoder.create(schema, sample.type()).decode(damaged, 0, damaged.length);
    } catch (MalformedAvroException | HudiTableException e) {
      assertThat(e.getMessage()).isNotBlank();
    }
  }

  @Test
  void nullInANotNullColumnIsNamedAndLeavesNoBytes() {
    RowType inner = new RowType(List.of(new RowType.RowField("b", new BigIntType(false))));
    RowType type =
        new RowType(
            List.of(
                new RowType.RowField("id", new BigIntType()),
                new RowType.RowField("a", inner.copy(true))));
    AvroBuffer out = new AvroBuffer();
    out.writeString("before");
    int size = out.size();

    assertThatThrownBy(
            () ->
                new AvroRowEncoder(type).encode(GenericRowData.of(7L, new GenericRowData(1)), out))
        .isInstanceOf(HudiTableException.class)
        .hasMessageContaining("'a.b'")
        .hasMessageContaining("COALESCE");
    assertThat(out.size()).isEqualTo(size);
  }

  @Test
  void stringsLookIntoTheArray() throws IOException {
    RowType type = new RowType(List.of(new RowType.RowField("s", VarCharType.STRING_TYPE)));
    byte[] bytes = encode(type, GenericRowData.of(StringData.fromString("abc")));
    GenericRowData row =
        AvroRowDecoder.create(AvroSchemas.toAvro(type, "t"), type).decode(bytes, 0, bytes.length);
    bytes[2] = 'x';

    assertThat(row.getString(0)).hasToString("xbc");
  }

  private static byte[] encode(RowType type, org.apache.flink.table.data.RowData row) {
    AvroBuffer out = new AvroBuffer(16);
    new AvroRowEncoder(type).encode(row, out);
    return out.toByteArray();
  }

  private static GenericRecord read(Schema schema, byte[] bytes) throws IOException {
    var decoder = DecoderFactory.get().binaryDecoder(bytes, null);
    GenericRecord record = new GenericDatumReader<GenericRecord>(schema).read(null, decoder);
    assertThat(decoder.isEnd()).isTrue();
    return record;
  }

  private static Object plain(Object value, Schema schema) {
    if (value == null) {
      return null;
    }
    return switch (schema.getType()) {
      case UNION -> plain(value, schema.getTypes().get(1));
      case STRING -> value.toString();
      case FIXED ->
          new BigDecimal(
              new BigInteger(((GenericFixed) value).bytes()),
              ((LogicalTypes.Decimal) schema.getLogicalType()).getScale());
      case BYTES -> ByteBuffer.wrap(((ByteBuffer) value).array());
      case ARRAY -> {
        List<Object> values = new ArrayList<>();
        ((List<?>) value).forEach(element -> values.add(plain(element, schema.getElementType())));
        yield values;
      }
      case MAP -> {
        Map<Object, Object> values = new LinkedHashMap<>();
        ((Map<?, ?>) value)
            .forEach((k, v) -> values.put(k.toString(), plain(v, schema.getValueType())));
        yield values;
      }
      case RECORD -> {
        List<Object> values = new ArrayList<>();
        for (Schema.Field field : schema.getFields()) {
          values.add(plain(((GenericRecord) value).get(field.pos()), field.schema()));
        }
        yield values;
      }
      default -> value;
    };
  }
}
