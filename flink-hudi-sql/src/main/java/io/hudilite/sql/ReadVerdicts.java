package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.READERS;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.duration;
import static io.hudilite.sql.Values.intFrom;
import static io.hudilite.sql.Values.moment;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.position;
import static io.hudilite.sql.Values.text;

import java.util.List;

/** What becomes of the options of reading and lookups. */
final class ReadVerdicts {
  private static final String ON_THE_HEAP =
      "Lookup joins look into the memory of the task, which takes no time.";

  private ReadVerdicts() {}

  static void addTo(OptionList list) {
    list.used(ReadOptions.READ_TASKS, READERS, intFrom(1));
    list.used(ReadOptions.QUERY_TYPE, READERS, oneOf("snapshot", "read_optimized", "incremental"));
    list.refused(
        "hoodie.datasource.merge.type",
        READERS,
        oneOf("payload_combine", "skip_merge"),
        List.of("payload_combine"),
        "Log files are always merged with their base file; 'hoodie.datasource.query.type'="
            + "'read_optimized' reads base files only.");
    list.used(ReadOptions.READ_STREAMING_ENABLED, READERS, bool());
    list.used(ReadOptions.READ_STREAMING_CHECK_INTERVAL, READERS, intFrom(1));
    String neverChanges = "What compaction and clustering write is never read as a change.";
    list.add(
        "read.streaming.skip_compaction",
        Verdict.ALWAYS_SO,
        READERS,
        bool(),
        List.of(),
        neverChanges);
    list.add(
        "read.streaming.skip_clustering",
        Verdict.ALWAYS_SO,
        READERS,
        bool(),
        List.of(),
        neverChanges);
    list.used(ReadOptions.READ_SKIP_OVERWRITE, READERS, bool());
    list.used(ReadOptions.READ_START_COMMIT, READERS, position());
    list.used(ReadOptions.READ_END_COMMIT, READERS, moment());
    list.used(ReadOptions.READ_COMMITS_LIMIT, READERS, intFrom(1));
    list.used(ReadOptions.READ_SPLITS_LIMIT, READERS, intFrom(1));
    list.used(ReadOptions.READ_SPLIT_SIZE, READERS, intFrom(1));
    list.noEffect("read.source-v2.enabled", bool(), "There is one source, and it is of that kind.");
    list.add(
        "read.data.skipping.enabled",
        Verdict.ALWAYS_SO,
        READERS,
        bool(),
        List.of(),
        "What partition, bucket, statistics, page index or bloom filter rule out is never read;"
            + " results are the same.");
    list.notYet(
        new String[] {"read.data.skipping.rli.keys.max.num", "read.record.index.keys.max.count"},
        intFrom(0),
        List.of(),
        "There is no record-level index to look into.");
    list.used(ReadOptions.LOOKUP_CACHE_TTL, READERS, duration());
    list.notYet("lookup.join.cache.type", oneOf("heap", "rocksdb"), List.of("heap"), ON_THE_HEAP);
    list.notYet("lookup.join.rocksdb.path", text(), List.of(), ON_THE_HEAP);
    list.notYet("lookup.async", bool(), List.of("false"), ON_THE_HEAP);
    list.notYet("lookup.async-thread-number", intFrom(1), List.of(), ON_THE_HEAP);
  }
}
