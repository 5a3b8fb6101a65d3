package io.hudilite.bench;

import java.util.Locale;
import java.util.Map;

/** What is run, by the name of the workload: phases, which of them counts, and the check. */
final class Workloads {
  private final Run run;
  private final Cluster cluster;
  private final Tables tables;
  private final Writes writes;

  Workloads(Run run, Cluster cluster) {
    this.run = run;
    this.cluster = cluster;
    tables = new Tables(run, cluster);
    writes = new Writes(run, cluster, tables);
  }

  void execute() throws Exception {
    switch (run.workload) {
      case "append" -> append();
      case "upsert-load" -> upsertLoad();
      case "upsert-update" -> update(Gen.Mode.UPDATE, "upsert");
      case "cdc" -> update(Gen.Mode.CDC, "upsert");
      case "partial-update" -> update(Gen.Mode.PARTIAL, "partial");
      case "snapshot-read" -> run.report.isAbout(withDeltas().scan("snapshot-read"));
      case "projected-read" -> run.report.isAbout(withDeltas().projected("projected-read"));
      case "snapshot-read-compacted" -> compactedScan();
      case "reads" -> reads();
      case "point-update-amplification" -> amplification();
      case "stream-read" -> new StreamRead(run, cluster, tables, writes).execute();
      case "restart" -> restart();
      default -> throw new IllegalArgumentException("workload " + run.workload);
    }
  }

  private Queries queries(String section) {
    return new Queries(run, cluster, tables, section);
  }

  private void check(String section) throws Exception {
    queries(section).check(writes.expected());
  }

  private void append() throws Exception {
    writes.warmUp("append");
    Gen.Spec spec = run.spec(Gen.Mode.APPEND, run.rows, 0);
    spec.perCommit = run.flags.number("rows-per-commit", 0);
    run.report.isAbout(writes.write("append", spec, "append", Writes.Pace.FAST));
    check("append");
  }

  private void upsertLoad() throws Exception {
    writes.warmUp("upsert");
    run.report.isAbout(writes.load("upsert"));
    check("upsert");
  }

  private void update(Gen.Mode mode, String section) throws Exception {
    if (!run.template.sections.containsKey("table " + section)) {
      run.report.put("status", "unsupported");
      return;
    }
    writes.load(section);
    Gen.Spec spec = run.spec(mode, run.rows, run.keys);
    spec.perCommit = run.flags.number("rows-per-commit", 0);
    String name = mode.name().toLowerCase(Locale.ROOT);
    run.report.isAbout(writes.write(name, spec, section, Writes.Pace.FAST));
    check(section);
  }

  /** K keys, then N updates in --commits commits: the same number of deltas for every system. */
  private Queries withDeltas() throws Exception {
    String section = run.flags.text("table", "upsert");
    if (!run.flags.has("skip-prepare")) {
      writes.load(section);
      if (run.rows > 0) {
        Gen.Spec spec = run.spec(Gen.Mode.UPDATE, run.rows, run.keys);
        spec.perCommit = Math.max(2, run.rows / run.flags.number("commits", 5));
        spec.perCommit -= spec.perCommit % 2;
        writes.write("update", spec, section, Writes.Pace.FAST);
      }
      check(section);
    }
    return queries(section);
  }

  private void compactedScan() throws Exception {
    Queries queries = withDeltas();
    queries.compact();
    run.report.isAbout(queries.scan("snapshot-read-compacted"));
  }

  /** The reads of one table, before and after its compaction, in one JVM. */
  private void reads() throws Exception {
    Queries queries = withDeltas();
    run.report.isAbout(queries.scan("snapshot-read"));
    queries.projected("projected-read");
    if (queries.canCompact()) {
      queries.compact();
      queries.scan("snapshot-read-compacted");
      queries.projected("projected-read-compacted");
      queries.check(writes.expected());
    }
  }

  /** Commits of few rows: what they write, beside the bytes of the table. */
  private void amplification() throws Exception {
    writes.load("upsert");
    long tableBytes = DiskUse.of(run).bytes();
    int commits = (int) run.flags.number("commits", 10);
    double fraction = Double.parseDouble(run.flags.text("fraction", "0.0005"));
    long perCommit = Math.max(2, (long) (run.keys * fraction));
    perCommit -= perCommit % 2;
    Gen.Spec spec = run.spec(Gen.Mode.UPDATE, perCommit * commits, run.keys);
    spec.perCommit = perCommit;
    Map<String, Object> phase = writes.write("point-updates", spec, "upsert", Writes.Pace.FAST);
    run.report.isAbout(phase);
    double written = ((Long) phase.get("io_written")).doubleValue();
    long added = (Long) phase.get("disk_bytes_added");
    run.report.put("table_bytes", tableBytes);
    run.report.put("rows_per_commit", perCommit);
    run.report.put("table_bytes_added_per_commit", added / commits);
    run.report.put("bytes_written_per_commit", phase.get("bytes_per_commit"));
    run.report.put("bytes_written_per_updated_row", Math.round(written / (perCommit * commits)));
    run.report.put("written_over_table", Numbers.round(written / commits / tableBytes, 5));
    check("upsert");
  }

  /** Loads, takes a checkpoint, cancels, and goes on from that checkpoint with --rows updates. */
  private void restart() throws Exception {
    Gen.Spec load = run.spec(Gen.Mode.LOAD_UPDATE, run.keys, 0);
    load.loadRows = run.keys;
    load.perCommit = run.keys;
    Map<String, Object> loaded = writes.writeAndCancel("load", load, "upsert");
    long updates = Math.max(2, run.flags.number("rows", 10_000));
    updates -= updates % 2;
    Gen.Spec rest = run.spec(Gen.Mode.LOAD_UPDATE, run.keys + updates, 0);
    rest.loadRows = run.keys;
    rest.perCommit = updates;
    CommitWatch commits = run.watchCommits();
    long start = System.nanoTime();
    Map<String, Object> resumed =
        writes.resume("restart", rest, "upsert", (String) loaded.get("external_path"));
    commits.close();
    writes.expected().apply(rest);
    run.report.isAbout(resumed);
    double planSeconds = (Double) resumed.get("plan_s");
    run.report.put("restored_from_bytes", loaded.get("ckpt_state_bytes"));
    run.report.put("plan_s", planSeconds);
    run.report.put("restart_to_first_row_s", resumed.get("submit_to_first_row_s"));
    if (!commits.times().isEmpty()) {
      double firstCommitSeconds = (commits.times().get(0) - start) / 1e9;
      run.report.put(
          "restart_to_first_commit_s", Numbers.round(firstCommitSeconds - planSeconds, 3));
    }
    check("upsert");
  }
}
