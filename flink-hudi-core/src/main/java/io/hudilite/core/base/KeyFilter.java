package io.hudilite.core.base;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.hudilite.core.file.BaseFile;
import io.hudilite.core.schema.MetaColumns;
import io.hudilite.core.storage.Storage;
import java.io.IOException;
import java.util.Arrays;
import javax.annotation.Nullable;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;

/**
 * What the footer of a base file tells of its record keys: whether a key may be in it. Immutable;
 * safe for use by several threads.
 */
public final class KeyFilter {
  private static final RowType KEY_ONLY =
      RowType.of(
          new VarCharType[] {new VarCharType(VarCharType.MAX_LENGTH)},
          new String[] {MetaColumns.RECORD_KEY});

  @Nullable private final byte[] min;
  @Nullable private final byte[] max;
  @Nullable private final BloomFilter bloom;

  private KeyFilter(@Nullable byte[] min, @Nullable byte[] max, @Nullable BloomFilter bloom) {
    this.min = min;
    this.max = max;
    this.bloom = bloom;
  }

  /** Reads the footer of a file, nothing else. */
  public static KeyFilter read(Storage storage, BaseFile file) throws IOException {
    try (BaseFileReader reader =
        BaseFileReader.openWithFilter(storage, file.path(), file.lengthBytes(), KEY_ONLY)) {
      return new KeyFilter(
          reader.minRecordKey().map(key -> key.getBytes(UTF_8)).orElse(null),
          reader.maxRecordKey().map(key -> key.getBytes(UTF_8)).orElse(null),
          reader.bloomFilter().orElse(null));
    }
  }

  /** False if the key, given as UTF-8, is not in the file; true if it is, or may be. */
  public boolean mayHold(byte[] bytes, int offset, int length) {
    if (min != null && max != null) {
      byte[] key = Arrays.copyOfRange(bytes, offset, offset + length);
      if (KeyFooter.compare(key, min) < 0 || KeyFooter.compare(key, max) > 0) {
        return false;
      }
    }
    return bloom == null || bloom.mightContain(bytes, offset, length);
  }

  /** Memory that it takes, about. */
  public long sizeBytes() {
    return 256 + (bloom == null ? 0 : bloom.sizeBytes());
  }
}
