package io.hudilite.core.write;

import io.hudilite.core.avro.AvroBuffer;
import io.hudilite.core.avro.Utf8Text;
import java.nio.charset.StandardCharsets;

/**
 * Writes the five meta columns in Avro, five unions of null and string: what comes before the body
 * in a record. All but key and row number are the same for all rows of a file.
 */
final class MetaColumnsEncoder {
  private static final int NOT_NULL = 1;

  private final SequenceNumbers sequence;
  private final byte[] commitTime;
  private final byte[] sequencePrefix;
  private final byte[] partitionAndFile;
  private final AvroBuffer sequenceNumber = new AvroBuffer(64);

  /**
   * @param file value of {@code _hoodie_file_name}
   */
  MetaColumnsEncoder(SequenceNumbers sequence, String partitionPath, String file) {
    this.sequence = sequence;
    AvroBuffer out = new AvroBuffer();
    out.writeInt(NOT_NULL);
    out.writeString(sequence.instant().toString());
    commitTime = out.toByteArray();
    out.reset();
    out.writeInt(NOT_NULL);
    out.writeString(partitionPath);
    out.writeInt(NOT_NULL);
    out.writeString(file);
    partitionAndFile = out.toByteArray();
    sequencePrefix =
        (sequence.instant() + "_" + sequence.task() + "_").getBytes(StandardCharsets.UTF_8);
  }

  void encode(byte[] key, int keyOffset, int keyLength, AvroBuffer out) {
    out.writeRaw(commitTime);
    sequenceNumber.reset();
    sequenceNumber.writeRaw(sequencePrefix);
    Utf8Text.append(sequence.nextRow(), sequenceNumber);
    out.writeInt(NOT_NULL);
    out.writeBytes(sequenceNumber.array(), 0, sequenceNumber.size());
    out.writeInt(NOT_NULL);
    out.writeBytes(key, keyOffset, keyLength);
    out.writeRaw(partitionAndFile);
  }

  /** At most so many bytes does {@link #encode} write. */
  int maxBytes(int keyLength) {
    return commitTime.length
        + sequencePrefix.length
        + partitionAndFile.length
        + keyLength
        + 4 * 10
        + 20;
  }
}
