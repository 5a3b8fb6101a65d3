package io.hudilite.core.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.base.BaseFileSettings;
import io.hudilite.core.testkit.InMemoryStorage;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

final class RowFormatTest {
  @Test
  void buffersAreUsedAgainUnlessAHugeRowMadeThemHuge() {
    RowFormat format =
        new RowFormat(
            new InMemoryStorage(),
            RowType.of(new BigIntType()),
            "t",
            BaseFileSettings.DEFAULT,
            1 << 20);
    AvroBuffer buffer = format.takeBuffer();
    buffer.skip(20 << 20);
    format.giveBack(buffer);
    assertThat(format.takeBuffer()).isSameAs(buffer);
    assertThat(buffer.size()).isZero();
    buffer.skip(40 << 20);
    format.giveBack(buffer);
    assertThat(format.takeBuffer()).isNotSameAs(buffer);
  }
}
