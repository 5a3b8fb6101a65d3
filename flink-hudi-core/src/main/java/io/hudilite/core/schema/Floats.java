package io.hudilite.core.schema;

/** What becomes of floats when a column has become wider since they were written. */
public final class Floats {
  private Floats() {}

  /**
   * The double of the same decimal digits: 0.1f gives 0.1, wherever the value stands, so that it
   * does not change when a compaction puts it elsewhere. Source: Hudi's
   * HoodieAvroUtils.rewritePrimaryTypeWithDiffSchemaType.
   */
  public static double toDouble(float value) {
    return Double.parseDouble(Float.toString(value));
  }
}
