package io.hudilite.source.lookup;

import io.hudilite.core.base.RowReader;
import io.hudilite.core.scan.ScanSplit;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.timeline.Instant;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.SourceConfig;
import io.hudilite.source.monitor.StatePlanner;
import io.hudilite.source.read.TableSplits;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.annotation.Nullable;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rows of one committed state of a table by key. Looks at the timeline when a row is asked for
 * and the last look is too long ago, and reads the table anew if there is another set of completed
 * writes then: neither does an empty commit end the looks, nor does one of other rows. Not safe for
 * use by several threads.
 */
final class TableCache {
  private static final Logger LOG = LoggerFactory.getLogger(TableCache.class);

  /** A cleaner may delete files while they are read: then there are newer ones. */
  private static final int MAX_TRIES = 3;

  private final Storage storage;
  private final SourceConfig config;
  private final Duration life;
  private final InstantSource clock;
  private final ProjectedRowData keyOfRow;
  private final RowDataSerializer keys;
  private final RowDataSerializer rows;

  @Nullable private HudiTable table;
  private List<Instant.Completed> loadedWrites = List.of();
  @Nullable private Map<RowData, List<RowData>> byKey;
  private long nextLookMillis;

  TableCache(Storage storage, SourceConfig config, int[] keys, Duration life, InstantSource clock) {
    this.storage = storage;
    this.config = config;
    this.life = life;
    this.clock = clock;
    RowType rowType = config.outputType();
    LogicalType[] keyTypes = new LogicalType[keys.length];
    for (int i = 0; i < keys.length; i++) {
      keyTypes[i] = rowType.getTypeAt(keys[i]);
    }
    this.keyOfRow = ProjectedRowData.from(keys);
    this.keys = new RowDataSerializer(keyTypes);
    this.rows = new RowDataSerializer(rowType);
  }

  /** None for a key that the table has not, or that holds a null. */
  List<RowData> rowsOf(RowData key) throws IOException {
    Map<RowData, List<RowData>> loaded = byKey;
    if (loaded == null || (clock.millis() >= nextLookMillis && mayChange())) {
      loaded = look();
      nextLookMillis = clock.millis() + life.toMillis();
    }
    return loaded.getOrDefault(keyBytes(key), List.of());
  }

  private boolean mayChange() {
    return !(config.mode() instanceof ReadMode.AsOf);
  }

  private Map<RowData, List<RowData>> look() throws IOException {
    for (int tries = 1; ; tries++) {
      HudiTable seen = table == null ? HudiTable.open(storage) : table.refresh();
      table = seen;
      List<Instant.Completed> writes = seen.timeline().completedWrites();
      Map<RowData, List<RowData>> loaded = byKey;
      if (loaded != null && writes.equals(loadedWrites)) {
        return loaded;
      }
      try {
        loaded = load(seen);
      } catch (IOException e) {
        if (tries == MAX_TRIES) {
          throw e;
        }
        LOG.info("Loading '{}' failed, try {} of {}", storage.location(), tries, MAX_TRIES, e);
        continue;
      }
      byKey = loaded;
      loadedWrites = writes;
      return loaded;
    }
  }

  private Map<RowData, List<RowData>> load(HudiTable seen) throws IOException {
    long began = clock.millis();
    Map<RowData, List<RowData>> loaded = new HashMap<>();
    long count = 0;
    TableSplits splits = TableSplits.of(config, storage);
    for (ScanSplit split : StatePlanner.plan(seen, config, config.partitions())) {
      try (RowReader reader = splits.open(split)) {
        for (RowData row = reader.next(); row != null; row = reader.next()) {
          loaded
              .computeIfAbsent(keyBytes(keyOfRow.replaceRow(row)), key -> new ArrayList<>(1))
              .add(rows.toBinaryRow(row).copy());
          count++;
        }
      }
    }
    LOG.info(
        "Loaded {} rows of '{}' for lookups in {} ms",
        count,
        storage.location(),
        clock.millis() - began);
    return loaded;
  }

  private RowData keyBytes(RowData key) {
    RowData bytes = keys.toBinaryRow(key).copy();
    bytes.setRowKind(RowKind.INSERT);
    return bytes;
  }
}
