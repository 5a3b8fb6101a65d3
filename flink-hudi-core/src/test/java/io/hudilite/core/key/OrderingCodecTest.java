package io.hudilite.core.key;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

final class OrderingCodecTest {

  @Provide
  Arbitrary<OrderingValue> values() {
    return Arbitraries.randomValue(
        random ->
            random.nextInt(8) == 0
                ? OrderingValue.ofList(List.of(single(random), single(random)))
                : single(random));
  }

  private static OrderingValue single(Random random) {
    return switch (random.nextInt(9)) {
      case 0 -> OrderingValue.NONE;
      case 1 -> OrderingValue.ofBoolean(random.nextBoolean());
      case 2 -> OrderingValue.ofInt(random.nextInt());
      case 3 -> OrderingValue.ofLong(random.nextLong());
      case 4 -> OrderingValue.ofFloat(random.nextFloat());
      case 5 -> OrderingValue.ofDouble(random.nextDouble());
      case 6 ->
          OrderingValue.ofString(Long.toString(random.nextLong()).getBytes(StandardCharsets.UTF_8));
      case 7 -> OrderingValue.ofBytes(new byte[] {(byte) random.nextInt(), 0});
      default -> OrderingValue.ofDecimal(BigDecimal.valueOf(random.nextLong(), 7));
    };
  }

  @Property(tries = 500)
  void valuesAreReadBack(@ForAll("values") OrderingValue value) {
    byte[] bytes = OrderingCodec.toBytes(value);

    assertThat(OrderingCodec.decode(bytes, 0, bytes.length)).isEqualTo(value);
  }

  @Property(tries = 500)
  void anythingElseIsRefused(@ForAll byte[] bytes) {
    try {
      assertThat(OrderingCodec.decode(bytes, 0, bytes.length)).isNotNull();
    } catch (IllegalArgumentException e) {
      assertThat(e).hasMessageContaining("ordering value");
    }
  }

  @Test
  void theBytesStayAsTheyAre() {
    assertThat(OrderingCodec.toBytes(OrderingValue.ofLong(4002)))
        .isEqualTo(new byte[] {3, (byte) 0xC4, 0x3E});
    assertThat(OrderingCodec.toBytes(OrderingValue.NONE)).isEqualTo(new byte[] {0});
    assertThatThrownBy(() -> OrderingCodec.decode(new byte[] {0, 0}, 0, 2))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Property(tries = 200)
  void numbersAreReadWithoutAnObjectToo(@ForAll long number) {
    for (OrderingValue value :
        List.of(OrderingValue.ofLong(number), OrderingValue.ofInt((int) number))) {
      byte[] bytes = OrderingCodec.toBytes(value);
      assertThat(OrderingCodec.numberKind(bytes, 0)).isEqualTo(value.kind());
      assertThat(OrderingCodec.decodeNumber(bytes, 0, bytes.length)).isEqualTo(value.longValue());
      assertThatThrownBy(() -> OrderingCodec.decodeNumber(bytes, 0, bytes.length - 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
