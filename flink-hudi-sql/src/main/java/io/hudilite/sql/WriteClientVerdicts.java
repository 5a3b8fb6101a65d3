package io.hudilite.sql;

import static io.hudilite.sql.KnownOption.Concerns.BOTH;
import static io.hudilite.sql.KnownOption.Concerns.WRITERS;
import static io.hudilite.sql.Values.bool;
import static io.hudilite.sql.Values.longFrom;
import static io.hudilite.sql.Values.oneOf;
import static io.hudilite.sql.Values.text;

import java.util.List;

/**
 * What becomes of the options of Hudi's write client, with keys that people put into the WITH
 * clause.
 */
final class WriteClientVerdicts {
  private WriteClientVerdicts() {}

  static void addTo(OptionList list) {
    list.used(WriteOptions.PARQUET_SMALL_FILE_LIMIT, WRITERS, longFrom(0));
    list.used(WriteOptions.PARQUET_MAX_FILE_SIZE_BYTES, WRITERS, longFrom(1));
    list.used(WriteOptions.LOG_BLOCK_FORMAT, WRITERS, oneOf("auto", "avro", "parquet"));
    list.used(
        WriteOptions.PARQUET_COMPRESSION_CODEC,
        WRITERS,
        oneOf("snappy", "zstd", "gzip", "uncompressed"));
    list.notYet(
        "hoodie.parquet.block.size",
        longFrom(1),
        List.of(),
        "Set 'write.parquet.block.size' (in MB).");
    list.refused(
        "hoodie.write.concurrency.mode",
        WRITERS,
        text(),
        List.of("SINGLE_WRITER"),
        "One job at a time writes to a table; a second one is refused.");
    list.notYet(
        "hoodie.write.lock.*",
        text(),
        List.of(),
        "No lock is taken: each instant is decided by an atomic file in the table's folder.");
    String noBloom = "Keys are found through Flink state, not through bloom filters.";
    list.noEffect("hoodie.bloom.index.*", text(), noBloom);
    list.noEffect("hoodie.index.bloom.*", text(), noBloom);
    list.used(WriteOptions.DROP_DUPLICATES, WRITERS, bool());
    list.refused(
        "hoodie.populate.meta.fields",
        WRITERS,
        bool(),
        List.of("true"),
        "The meta columns are always written; incremental reads need them.");
    list.refused(
        "hoodie.schema.on.read.enable",
        BOTH,
        bool(),
        List.of("false"),
        "Columns are matched by name.");
    list.refused(
        "hoodie.datasource.write.drop.partition.columns",
        WRITERS,
        bool(),
        List.of("false"),
        "Partition columns are always stored in the rows.");
    list.noEffect("hoodie.write.markers.type", text(), "Markers are written in one form.");
    list.noEffect("hoodie.embed.timeline.server", bool(), "There is no timeline server.");
    list.noEffect("hoodie.metrics.*", text(), "Metrics are Flink's, and always on.");
    list.notYet("hoodie.precommit.validators*", text(), List.of(""), "Commits are not validated.");
    list.notYet(
        "hoodie.write.rolling.metadata.keys",
        text(),
        List.of(""),
        "Metadata of earlier commits is not carried on.");
  }
}
