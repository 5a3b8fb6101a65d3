package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.WRITERS;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.intFrom;
import static io.hudilite.sql.Values.longFrom;
import static io.hudilite.sql.Values.number;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.text;

import java.util.List;

/** What becomes of the options of writing. */
final class WriteVerdicts {
  private static final String ANY_SIZE = "MB";
  private static final String NO_TRACE =
      "Offsets of Kafka belong to the Kafka source and its checkpoints.";

  private WriteVerdicts() {}

  static void addTo(OptionList list) {
    list.used(
        WriteOptions.OPERATION,
        WRITERS,
        oneOf(
            "upsert",
            "insert",
            "bulk_insert",
            "insert_overwrite",
            "insert_overwrite_table",
            "delete"));
    list.add(
        "write.precombine",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "Rows of one key are always merged before an upsert writes them, and never by an insert.");
    list.used(WriteOptions.WRITE_TASKS, WRITERS, intFrom(1));
    list.used(WriteOptions.BUCKET_ASSIGN_TASKS, WRITERS, intFrom(1));
    list.used(WriteOptions.WRITE_TASK_MAX_SIZE, WRITERS, number(ANY_SIZE, Values.Zero.REFUSED));
    list.used(WriteOptions.WRITE_BATCH_SIZE, WRITERS, number(ANY_SIZE, Values.Zero.REFUSED));
    list.noEffect(
        "write.memory.segment.page.size", intFrom(1), "The page size is chosen by itself.");
    list.notYet(
        "write.buffer.memory.type",
        oneOf("ON_HEAP", "MANAGED"),
        List.of("ON_HEAP"),
        "The buffer lies on the heap, within 'write.task.max.size'.");
    String unsorted = "Rows are written in the order of their arrival.";
    list.notYet(
        "write.buffer.type",
        oneOf("NONE", "BOUNDED_IN_MEMORY", "DISRUPTOR", "CONTINUOUS_SORT"),
        List.of("NONE"),
        unsorted);
    list.notYet("write.buffer.sort.enabled", bool(), List.of("false"), unsorted);
    list.notYet("write.buffer.sort.keys", text(), List.of(""), unsorted);
    list.notYet("write.buffer.size", longFrom(1), List.of("1000"), unsorted);
    list.noEffect("write.buffer.sort.continuous.drain.size", intFrom(1), unsorted);
    list.noEffect("write.buffer.disruptor.ring.size", intFrom(1), "There is no ring buffer.");
    list.noEffect("write.buffer.disruptor.wait.strategy", text(), "There is no ring buffer.");
    list.used(WriteOptions.WRITE_MERGE_MAX_MEMORY, WRITERS, intFrom(1));
    list.used(WriteOptions.WRITE_LOG_BLOCK_SIZE, WRITERS, intFrom(1));
    list.notYet(
        "write.log.max.size",
        longFrom(1),
        List.of("1024"),
        "Each flush writes a log file of its own.");
    list.used(WriteOptions.WRITE_PARQUET_BLOCK_SIZE, WRITERS, intFrom(1));
    list.used(WriteOptions.WRITE_PARQUET_MAX_FILE_SIZE, WRITERS, intFrom(1));
    list.used(WriteOptions.WRITE_PARQUET_PAGE_SIZE, WRITERS, intFrom(1));
    list.used(WriteOptions.WRITE_RATE_LIMIT, WRITERS, longFrom(0));
    list.used(WriteOptions.RETRY_TIMES, WRITERS, intFrom(0));
    list.used(WriteOptions.RETRY_INTERVAL_MILLIS, WRITERS, longFrom(0));
    list.used(WriteOptions.HEARTBEAT_INTERVAL_MILLIS, WRITERS, longFrom(10));
    list.used(WriteOptions.HEARTBEAT_TOLERABLE_MISSES, WRITERS, intFrom(2));
    list.used(WriteOptions.IGNORE_FAILED, WRITERS, bool());
    list.add(
        "write.fail.fast",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "A row that cannot be written fails the job at once, unless 'write.ignore.failed' is"
            + " true.");
    list.noEffect(
        "write.commit.ack.timeout",
        longFrom(0),
        "Writers do not wait for the commit of the last checkpoint.");
    list.refused(
        "write.client.id", WRITERS, text(), List.of(""), "One job at a time writes to a table.");
    list.add(
        "write.extra.metadata.enabled",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "The checkpoint id stands in each commit.");
    list.noEffect(
        "write.incremental.job.graph.generation", bool(), "The job graph has one way to be made.");
    list.used(WriteOptions.INSERT_CLUSTER, WRITERS, bool());
    list.notYet(
        "write.insert.partitioner.class.name", text(), List.of(""), "It has one partitioner.");
    list.notYet(
        "write.insert.partitioner.default_parallelism_per_partition",
        intFrom(1),
        List.of("30"),
        "It has one partitioner.");
    list.used(WriteOptions.BULK_INSERT_SHUFFLE, WRITERS, bool());
    list.add(
        "write.bulk_insert.sort_input",
        Verdict.ALWAYS_SO,
        WRITERS,
        bool(),
        List.of(),
        "The rows of a partition are always put together before they are written.");
    list.used(WriteOptions.BULK_INSERT_SORT_BY_KEY, WRITERS, bool());
    list.noEffect(
        "write.sort.memory",
        intFrom(1),
        "Rows are sorted within 'write.task.max.size', and on disk.");
    list.used(WriteOptions.PARTITION_OVERWRITE_MODE, WRITERS, oneOf("STATIC", "DYNAMIC"));
    for (String traced :
        List.of(
            "dc",
            "env",
            "hadoop.user",
            "job.name",
            "source.cluster",
            "target.cluster",
            "topic.id",
            "topic.name",
            "caller.service.name",
            "checkpoint.service",
            "service.name",
            "service.tier")) {
      list.noEffect("kafka.offset.trace." + traced, text(), NO_TRACE);
    }
  }
}
