package io.hudilite.bench;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.ScalarFunction;

/** row_hash(all ten columns): the same hash the generator predicts. */
public class RowHash extends ScalarFunction {
  public Long eval(
      Long id,
      Integer cInt,
      Integer cQty,
      Long cLong,
      Double cDbl,
      @DataTypeHint("DECIMAL(10, 2)") BigDecimal cDec,
      String cName,
      String cTag,
      @DataTypeHint("TIMESTAMP(3)") LocalDateTime ts,
      String pt) {
    return Gen.rowHash(
        id,
        cInt,
        cQty,
        cLong,
        cDbl,
        Gen.unscaled(cDec),
        utf(cName),
        utf(cTag),
        ts.toInstant(ZoneOffset.UTC).toEpochMilli(),
        utf(pt));
  }

  private static byte[] utf(String s) {
    return s == null ? null : s.getBytes(StandardCharsets.UTF_8);
  }
}
