package io.hudilite.core.schema;

import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;

/** In which unit a timestamp column is stored, and the numbers that stand for its values. */
public final class Timestamps {
  private Timestamps() {}

  /** Unit of a stored timestamp, counted from 1970 in UTC. */
  public enum Unit {
    MILLIS,
    MICROS,
    NANOS;

    /** The number that stands for a value; digits below the unit are cut off. */
    public long toNumber(TimestampData value) {
      return switch (this) {
        case MILLIS -> value.getMillisecond();
        case MICROS ->
            Math.addExact(
                Math.multiplyExact(value.getMillisecond(), 1_000L),
                value.getNanoOfMillisecond() / 1_000);
        case NANOS ->
            Math.addExact(
                Math.multiplyExact(value.getMillisecond(), 1_000_000L),
                value.getNanoOfMillisecond());
      };
    }

    /** The value for which a number stands. */
    public TimestampData fromNumber(long number) {
      return switch (this) {
        case MILLIS -> TimestampData.fromEpochMillis(number);
        case MICROS ->
            TimestampData.fromEpochMillis(
                Math.floorDiv(number, 1_000L), (int) Math.floorMod(number, 1_000L) * 1_000);
        case NANOS ->
            TimestampData.fromEpochMillis(
                Math.floorDiv(number, 1_000_000L), (int) Math.floorMod(number, 1_000_000L));
      };
    }
  }

  /** Digits after the second of TIMESTAMP(p) and TIMESTAMP_LTZ(p). */
  public static int precisionOf(LogicalType type) {
    if (type instanceof TimestampType timestamp) {
      return timestamp.getPrecision();
    }
    if (type instanceof LocalZonedTimestampType timestamp) {
      return timestamp.getPrecision();
    }
    throw new IllegalArgumentException(type + " is no timestamp");
  }

  /** Milliseconds up to a precision of 3, microseconds above; NANOS only for what is not stored. */
  public static Unit storedUnit(LogicalType timestamp) {
    int precision = precisionOf(timestamp);
    return precision <= 3 ? Unit.MILLIS : precision <= 6 ? Unit.MICROS : Unit.NANOS;
  }
}
