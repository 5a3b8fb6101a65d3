package io.hudilite.source.lookup;

import static io.hudilite.core.testkit.MorTable.delete;
import static io.hudilite.core.testkit.MorTable.upsert;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudilite.core.config.MergeMode;
import io.hudilite.core.testkit.Compactions;
import io.hudilite.core.testkit.FaultyStorage;
import io.hudilite.core.testkit.InMemoryStorage;
import io.hudilite.core.testkit.MorTable;
import io.hudilite.core.timeline.Action;
import io.hudilite.core.timeline.CommitMetadata;
import io.hudilite.core.timeline.InstantTime;
import io.hudilite.core.write.TableCommit;
import io.hudilite.source.config.PartitionFilter;
import io.hudilite.source.config.RangeConfig;
import io.hudilite.source.config.ReadMode;
import io.hudilite.source.config.RowHints;
import io.hudilite.source.config.RowOrder;
import io.hudilite.source.config.RowOutput;
import io.hudilite.source.config.SourceConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a lookup join sees of a table that changes: cases F48 and F49. */
class TableCacheTest {
  private static final Duration LIFE = Duration.ofSeconds(5);

  private final FaultyStorage storage = FaultyStorage.counting(new InMemoryStorage());
  private MorTable table;

  @BeforeEach
  void createTable() throws IOException {
    table = MorTable.create(storage, 2, MergeMode.EVENT_TIME_ORDERING);
  }

  private TableCache cache(ReadMode mode, int... keys) {
    SourceConfig config =
        new SourceConfig(
            "memory:/table",
            MorTable.ROW_TYPE,
            RowOutput.ROWS,
            PartitionFilter.ALL,
            null,
            mode,
            RangeConfig.DEFAULT,
            RowHints.NONE,
            RowOrder.ONE_READER,
            null);
    return new TableCache(storage, config, keys, LIFE, table.wall());
  }

  private static List<String> names(TableCache cache, Object... key) throws IOException {
    GenericRowData row = new GenericRowData(key.length);
    for (int i = 0; i < key.length; i++) {
      row.setField(i, key[i] instanceof String text ? StringData.fromString(text) : key[i]);
    }
    return cache.rowsOf(row).stream().map(found -> found.getString(1).toString()).toList();
  }

  private void expire() {
    table.wall().advanceMillis(LIFE.toMillis());
  }

  @Test
  void f48RowsAreThoseOfTheNewestCommitWhenTheCacheIsOld() throws IOException {
    table.commit(upsert("p1", "1", "a", 10), upsert("p1", "2", "b", 10));
    TableCache cache = cache(new ReadMode.Snapshot(), 0);
    assertThat(names(cache, "1")).containsExactly("a");
    assertThat(names(cache, "3")).isEmpty();
    table.commit(
        upsert("p1", "1", "a2", 20), upsert("p1", "2", "old", 5), upsert("p1", "3", "c", 10));
    assertThat(names(cache, "1")).as("a second later").containsExactly("a");
    expire();
    assertThat(names(cache, "1")).containsExactly("a2");
    assertThat(names(cache, "2")).as("the late row lost").containsExactly("b");
    assertThat(names(cache, "3")).containsExactly("c");

    table.commit(delete("p1", "2", 30));
    TableCommit uncommitted = new TableCommit(storage, table.config(), table.clock());
    table.write(uncommitted.begin(Action.DELTA_COMMIT), List.of(upsert("p1", "1", "bad", 99)));
    expire();
    assertThat(names(cache, "2")).isEmpty();
    assertThat(names(cache, "1")).containsExactly("a2");
  }

  @Test
  void f48WithoutNewCommitsThereIsOneLookInALifetime() throws IOException {
    table.commit(upsert("p1", "1", "a", 10));
    TableCache cache = cache(new ReadMode.Snapshot(), 0);
    names(cache, "1");
    for (int life = 0; life < 3; life++) {
      expire();
      int before = storage.operationCount();
      assertThat(names(cache, "1")).containsExactly("a");
      int looked = storage.operationCount();
      assertThat(looked - before).as("one look, nothing loaded").isBetween(1, 2);
      names(cache, "1");
      names(cache, "2");
      assertThat(storage.operationCount()).isEqualTo(looked);
    }
  }

  @Test
  void f49CommitsWithoutRowsOrOfOtherRowsDoNotEndTheRefresh() throws IOException {
    table.commit(upsert("p1", "1", "a", 1));
    TableCache cache = cache(new ReadMode.Snapshot(), 0);
    for (int i = 2; i <= 8; i++) {
      switch (i % 3) {
        case 0 -> table.commit(upsert("p2", "other" + i, "x", i));
        case 1 -> Compactions.compact(storage, table.clock());
        default -> emptyCommit();
      }
      table.open().timeline().newestTime().ifPresent(table.clock()::observe);
      expire();
      assertThat(names(cache, "1")).containsExactly("a");
    }
    table.commit(upsert("p1", "1", "z", 9));
    expire();
    assertThat(names(cache, "1")).containsExactly("z");
  }

  private void emptyCommit() throws IOException {
    TableCommit commit = new TableCommit(storage, table.config(), table.clock());
    InstantTime instant = commit.begin(Action.DELTA_COMMIT);
    commit.commit(instant, CommitMetadata.ofWrite(CommitMetadata.UPSERT, List.of(), Map.of()));
  }

  @Test
  void rowsAreFoundBySeveralColumnsAndSeveralRowsByOne() throws IOException {
    table.commit(
        upsert("p1", "1", "a", 10), upsert("p2", "1", "b", 11), upsert("p1", "2", "c", 10));
    assertThat(names(cache(new ReadMode.Snapshot(), 0), "1")).containsExactlyInAnyOrder("a", "b");
    assertThat(names(cache(new ReadMode.Snapshot(), 2, 3), 10L, "p1"))
        .containsExactlyInAnyOrder("a", "c");
    assertThat(names(cache(new ReadMode.Snapshot(), 2, 3), 11L, "p1")).isEmpty();
    RowData none = new GenericRowData(1);
    assertThat(cache(new ReadMode.Snapshot(), 0).rowsOf(none)).isEmpty();
  }

  @Test
  void stateOfAnInstantIsLoadedOnce() throws IOException {
    InstantTime first = table.commit(upsert("p1", "1", "a", 10));
    TableCache cache = cache(new ReadMode.AsOf(first), 0);
    assertThat(names(cache, "1")).containsExactly("a");
    table.commit(upsert("p1", "1", "b", 11));
    expire();
    int before = storage.operationCount();
    assertThat(names(cache, "1")).containsExactly("a");
    assertThat(storage.operationCount()).isEqualTo(before);
  }
}
