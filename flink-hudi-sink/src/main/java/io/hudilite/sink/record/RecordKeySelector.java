package io.hudilite.sink.record;

import io.hudilite.sink.config.IndexScope;
import org.apache.flink.api.java.functions.KeySelector;

/** Takes the {@link RecordKey} out of a record: a copy, since state keeps it. */
public final class RecordKeySelector implements KeySelector<HudiRecord, RecordKey> {
  private static final long serialVersionUID = 1L;

  private final IndexScope scope;

  public RecordKeySelector(IndexScope scope) {
    this.scope = scope;
  }

  @Override
  public RecordKey getKey(HudiRecord record) {
    return of(record, scope);
  }

  static RecordKey of(HudiRecord record, IndexScope scope) {
    int keyLength = record.keyLength();
    int length =
        switch (scope) {
          case TABLE -> keyLength;
          case PARTITION -> keyLength + 1 + record.partitionLength();
        };
    byte[] key = new byte[length];
    System.arraycopy(record.bytes(), record.keyOffset(), key, 0, keyLength);
    if (length > keyLength) {
      System.arraycopy(
          record.bytes(), record.partitionOffset(), key, keyLength + 1, record.partitionLength());
    }
    return new RecordKey(key, record.keyHash());
  }
}
