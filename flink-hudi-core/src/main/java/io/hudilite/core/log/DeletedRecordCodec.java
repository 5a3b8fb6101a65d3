package io.hudilite.core.log;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.AvroInput;
import io.hudilite.core.avro.MalformedAvroException;
import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.key.OrderingValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The Avro binary of Hudi's HoodieDeleteRecordList. There is no schema in the file: the order of
 * the branches of the ordering value's union is the format. Source: HoodieDeleteRecord.avsc of Hudi
 * 1.0.2, with the branch for lists of 1.1.
 *
 * <pre>
 * array of { [null, string] recordKey; [null, string] partitionPath; union orderingVal }
 * union: 0 null, 1 boolean, 2 int, 3 long, 4 float, 5 double, 6 bytes, 7 string, 8 date (int),
 *        9 decimal(30, 15) (bytes), 10 time-micros (long), 11 timestamp-micros (long),
 *        12 [null, array of [null, branches 1 to 11, 12 date (int)]]
 * </pre>
 */
public final class DeletedRecordCodec {
  private static final int PRECISION = 30;
  private static final int SCALE = 15;
  private static final int BRANCHES = 13;
  private static final int LIST_BRANCH = 12;

  private DeletedRecordCodec() {}

  /**
   * Appends one record, without the array around it. {@link OrderingValue#NONE} is written as int
   * 0, which is Hudi's "wins whatever the ordering". A decimal has the branch that Hudi writes for
   * it: later versions compare it rightly, Hudi 1.0 fails to read such a delete.
   *
   * @param key array that holds the record key in UTF-8
   * @param partitionPath in UTF-8
   * @throws HudiTableException if the value is a list, since version 8 tables have one ordering
   *     field; or a decimal with more digits than Hudi has room for
   */
  public static void encode(
      byte[] key,
      int keyOffset,
      int keyLength,
      byte[] partitionPath,
      OrderingValue ordering,
      AvroBuffer out) {
    out.writeInt(1);
    out.writeBytes(key, keyOffset, keyLength);
    out.writeInt(1);
    out.writeBytes(partitionPath);
    switch (ordering.kind()) {
      case NONE -> {
        out.writeInt(2);
        out.writeInt(0);
      }
      case BOOLEAN -> {
        out.writeInt(1);
        out.writeBoolean((Boolean) ordering.value());
      }
      case INT -> {
        out.writeInt(2);
        out.writeInt((Integer) ordering.value());
      }
      case LONG -> {
        out.writeInt(3);
        out.writeLong((Long) ordering.value());
      }
      case FLOAT -> {
        out.writeInt(4);
        out.writeFloat((Float) ordering.value());
      }
      case DOUBLE -> {
        out.writeInt(5);
        out.writeDouble((Double) ordering.value());
      }
      case BYTES -> {
        out.writeInt(6);
        out.writeBytes((byte[]) ordering.value());
      }
      case STRING -> {
        out.writeInt(7);
        out.writeBytes((byte[]) ordering.value());
      }
      case DECIMAL -> {
        out.writeInt(9);
        out.writeBytes(unscaled((BigDecimal) ordering.value()));
      }
      case LIST ->
          throw new HudiTableException(
              "Tables of version 8 have one ordering field, but a delete has the values %s. Name one field in 'ordering.fields'."
                  .formatted(ordering));
    }
  }

  private static byte[] unscaled(BigDecimal value) {
    BigDecimal plain = value.stripTrailingZeros();
    if (plain.scale() > SCALE || plain.precision() - plain.scale() > PRECISION - SCALE) {
      throw new HudiTableException(
          "A delete has the ordering value %s, but delete records hold at most %d digits before and %d after the point. Use another ordering field, or CAST it to STRING or BIGINT."
              .formatted(value.toPlainString(), PRECISION - SCALE, SCALE));
    }
    return value.setScale(SCALE).unscaledValue().toByteArray();
  }

  /** Reads the whole list; the input must end with it. */
  static List<DeletedRecord> decode(AvroInput in) throws MalformedAvroException {
    List<DeletedRecord> records = new ArrayList<>();
    byte[] lastPartition = new byte[0];
    String partitionPath = "";
    for (int count = in.readBlockCount(3); count > 0; count = in.readBlockCount(3)) {
      for (int i = 0; i < count; i++) {
        if (in.readBranch(2) == 0) {
          throw new MalformedAvroException("deleted record " + records.size() + " has no key");
        }
        byte[] key = in.readBytes();
        int length = in.readBranch(2) == 0 ? 0 : in.readLength();
        int at = in.advance(length);
        if (!Arrays.equals(in.array(), at, at + length, lastPartition, 0, lastPartition.length)) {
          lastPartition = Arrays.copyOfRange(in.array(), at, at + length);
          partitionPath = new String(lastPartition, StandardCharsets.UTF_8);
        }
        records.add(new DeletedRecord(key, partitionPath, ordering(in)));
      }
    }
    if (in.remaining() > 0) {
      throw new MalformedAvroException(in.remaining() + " bytes follow the last deleted record");
    }
    return records;
  }

  private static OrderingValue ordering(AvroInput in) throws MalformedAvroException {
    int branch = in.readBranch(BRANCHES);
    if (branch != LIST_BRANCH) {
      return value(branch, in);
    }
    if (in.readBranch(2) == 0) {
      return OrderingValue.NONE;
    }
    List<OrderingValue> values = new ArrayList<>();
    for (int count = in.readBlockCount(1); count > 0; count = in.readBlockCount(1)) {
      for (int i = 0; i < count; i++) {
        int element = in.readBranch(BRANCHES);
        values.add(element == 12 ? OrderingValue.ofInt(in.readInt()) : value(element, in));
      }
    }
    return OrderingValue.ofList(values);
  }

  private static OrderingValue value(int branch, AvroInput in) throws MalformedAvroException {
    return switch (branch) {
      case 0 -> OrderingValue.NONE;
      case 1 -> OrderingValue.ofBoolean(in.readBoolean());
      case 2, 8 -> OrderingValue.ofInt(in.readInt());
      case 3, 10, 11 -> OrderingValue.ofLong(in.readLong());
      case 4 -> OrderingValue.ofFloat(in.readFloat());
      case 5 -> OrderingValue.ofDouble(in.readDouble());
      case 6 -> OrderingValue.ofBytes(in.readBytes());
      case 7 -> OrderingValue.ofString(in.readBytes());
      case 9 -> {
        byte[] unscaled = in.readBytes();
        if (unscaled.length == 0) {
          throw new MalformedAvroException("a decimal without bytes");
        }
        yield OrderingValue.ofDecimal(new BigDecimal(new BigInteger(unscaled), SCALE));
      }
      default -> throw new MalformedAvroException("an ordering value of kind " + branch);
    };
  }
}
