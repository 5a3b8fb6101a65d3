package io.hudilite.core.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroInput;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.OrderingValue;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes were computed by the classes of Hudi 1.0.2. */
final class DeletedRecordCodecTest {
  private static final String RECORD = "020a3135303032021a64743d323032352d31302d3138";

  @Test
  void theBytesAreThoseOfHudi() throws MalformedAvroException {
    same(OrderingValue.ofLong(4002), "06c43e");
    same(OrderingValue.ofDecimal(new BigDecimal("12.340000000000000")), "120e2bd72a24874000");
    same(OrderingValue.ofInt(0), "0400");
    same(OrderingValue.ofString("abc".getBytes(StandardCharsets.UTF_8)), "0e06616263");
    same(OrderingValue.ofDouble(1.5), "0a000000000000f83f");
    same(OrderingValue.ofFloat(1.5f), "080000c03f");
    same(OrderingValue.ofBoolean(true), "0201");
    same(OrderingValue.ofBytes(new byte[] {1, 2}), "0c040102");
  }

  private static void same(OrderingValue ordering, String hex) throws MalformedAvroException {
    assertThat(HexFormat.of().formatHex(encode(ordering))).isEqualTo(RECORD + hex);
    read(hex, ordering);
  }

  private static void read(String hex, OrderingValue ordering) throws MalformedAvroException {
    AvroInput in = new AvroInput();
    byte[] bytes = HexFormat.of().parseHex("02" + RECORD + hex + "00");
    in.reset(bytes, 0, bytes.length);
    assertThat(DeletedRecordCodec.decode(in))
        .containsExactly(
            new DeletedRecord("15002".getBytes(StandardCharsets.UTF_8), "dt=2025-10-18", ordering));
  }

  private static byte[] encode(OrderingValue ordering) {
    byte[] key = "-15002-".getBytes(StandardCharsets.UTF_8);
    byte[] partition = "dt=2025-10-18".getBytes(StandardCharsets.UTF_8);
    AvroBuffer out = new AvroBuffer();
    DeletedRecordCodec.encode(key, 1, 5, partition, ordering, out);
    return out.toByteArray();
  }

  @Test
  void whatOtherWritersPutThereIsRead() throws MalformedAvroException {
    read("00", OrderingValue.NONE);
    read("120e2bd72a24874000", OrderingValue.ofDecimal(new BigDecimal("12.340000000000000")));
    read("1680897a", OrderingValue.ofLong(1_000_000));
    read("1002", OrderingValue.ofInt(1));
    read(
        "1802040602040400",
        OrderingValue.ofList(List.of(OrderingValue.ofLong(1), OrderingValue.ofInt(2))));
  }

  @Test
  void noOrderingIsWrittenAsTheDefaultAndWhatHasNoPlaceIsRefused() {
    assertThat(HexFormat.of().formatHex(encode(OrderingValue.NONE))).isEqualTo(RECORD + "0400");
    for (String tooLarge : List.of("1234567890123456", "0.0000000000000001")) {
      assertThatThrownBy(() -> encode(OrderingValue.ofDecimal(new BigDecimal(tooLarge))))
          .isInstanceOf(HudiTableException.class)
          .hasMessageContaining(tooLarge);
    }
    assertThatThrownBy(() -> encode(OrderingValue.ofList(List.of(OrderingValue.ofInt(1)))))
        .isInstanceOf(HudiTableException.class);
  }
}
