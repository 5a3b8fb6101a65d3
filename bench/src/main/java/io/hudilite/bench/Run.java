package io.hudilite.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** One run: its flags, the system it is about, where it works, and what it has to tell. */
final class Run {
  static final String COLUMNS =
      "id BIGINT NOT NULL, c_int INT, c_qty INT, c_long BIGINT, c_dbl DOUBLE, c_dec DECIMAL(10, 2),"
          + " c_name STRING, c_tag STRING, ts TIMESTAMP(3), pt STRING NOT NULL";
  static final String NAMES = "id, c_int, c_qty, c_long, c_dbl, c_dec, c_name, c_tag, ts, pt";

  /** Name of the table that is measured. */
  static final String TABLE = "bench_t";

  final Flags flags;
  final Report report;
  final Template template;
  final Path work;
  final Path warehouse;
  final String workload;
  final int parallelism;
  final int partitions;
  final long rows;
  final long keys;

  Run(Flags flags, Report report) throws IOException {
    this.flags = flags;
    this.report = report;
    template = Template.read(Path.of(flags.text("sql", "")));
    work = Path.of(flags.text("work", ""));
    warehouse = Path.of(flags.text("warehouse", work.resolve("wh").toString()));
    Files.createDirectories(warehouse);
    workload = flags.text("workload", "append");
    parallelism = (int) flags.number("parallelism", 2);
    partitions = (int) flags.number("partitions", 2);
    rows = flags.number("rows", 1_000_000);
    long wanted = flags.number("keys", 1_000_000);
    keys = wanted - wanted % parallelism;
  }

  /** Operations {@code startSequence} and following, of the keys and partitions of this run. */
  Gen.Spec spec(Gen.Mode mode, long operations, long startSequence) {
    Gen.Spec spec = new Gen.Spec();
    spec.mode = mode;
    spec.rows = operations;
    spec.keys = keys;
    spec.startSeq = startSequence;
    spec.zipf = flags.text("dist", "uniform").equals("zipf");
    spec.partitions = partitions;
    spec.splits = parallelism;
    return spec;
  }

  /** Fills the variables of a statement or path of the template. */
  String fill(String text, String table) {
    return text.replace("${WAREHOUSE}", warehouse.toUri().toString().replaceAll("/$", ""))
        .replace("${WAREHOUSE_PATH}", warehouse.toString())
        .replace("${TABLE}", table)
        .replace("${COLUMNS}", COLUMNS)
        .replace("${PK}", partitions > 0 ? "id, pt" : "id")
        .replace("${PARTITIONED_BY}", partitions > 0 ? "PARTITIONED BY (pt)" : "")
        .replace("${BUCKETS}", flags.text("buckets", "4"));
  }

  CommitWatch watchCommits() {
    return new CommitWatch(
        Path.of(fill(template.commitDir, TABLE)),
        java.util.regex.Pattern.compile(template.commitRegex));
  }
}
