package io.hudilite.bench;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointType;
import org.apache.flink.runtime.checkpoint.AbstractCheckpointStats;
import org.apache.flink.runtime.checkpoint.CheckpointStatsSnapshot;
import org.apache.flink.runtime.checkpoint.CompletedCheckpointStats;
import org.apache.flink.runtime.checkpoint.TaskStateStats;
import org.apache.flink.runtime.jobmaster.JobResult;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;

/** Runs one workload of one system and prints one line of JSON. */
public final class Main {
  static final String COLUMNS =
      "id BIGINT NOT NULL, c_int INT, c_qty INT, c_long BIGINT, c_dbl DOUBLE, c_dec DECIMAL(10, 2),"
          + " c_name STRING, c_tag STRING, ts TIMESTAMP(3), pt STRING NOT NULL";
  static final String NAMES = "id, c_int, c_qty, c_long, c_dbl, c_dec, c_name, c_tag, ts, pt";
  static final String T = "bench_t";

  final Map<String, String> o = new HashMap<>();
  final Map<String, Object> out = new LinkedHashMap<>();
  final List<Object> phases = new ArrayList<>();
  Template tpl;
  Path work;
  Path warehouse;
  MiniCluster mc;
  URI rest;
  int parallelism;
  int partitions;
  long rows;
  long keys;
  Gen.Expected expected;
  String ddl;

  public static void main(String[] args) throws Exception {
    PrintStream json = System.out;
    System.setOut(System.err);
    Main m = new Main();
    for (int i = 0; i < args.length; i++) {
      if (!args[i].startsWith("--")) {
        throw new IllegalArgumentException(args[i]);
      }
      boolean flag = i + 1 == args.length || args[i + 1].startsWith("--");
      m.o.put(args[i].substring(2), flag ? "true" : args[++i]);
    }
    int rc = 0;
    boolean[] printed = new boolean[1];
    Thread killed =
        new Thread(
            () -> { // a run that is timed out still tells the phases it has finished
              if (!printed[0]) {
                m.out.put("status", "killed");
                m.out.put("phases", m.phases);
                json.println(Json.of(m.out));
                json.flush();
              }
            });
    Runtime.getRuntime().addShutdownHook(killed);
    try {
      m.run();
      m.out.putIfAbsent("status", "ok");
    } catch (Throwable e) {
      e.printStackTrace();
      m.out.put("status", "failed");
      Throwable c = e;
      while (c.getCause() != null && c.getCause() != c) {
        c = c.getCause();
      }
      m.out.put("error", c.toString());
      rc = 1;
    }
    m.out.put("load_avg", ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    m.out.put("peak_rss_mb", statusKb("VmHWM") / 1024);
    m.out.put("phases", m.phases);
    printed[0] = true;
    json.println(Json.of(m.out));
    json.flush();
    System.err.flush();
    int code = rc;
    Thread dog =
        new Thread(
            () -> { // connectors leave threads and hooks that may not end
              try {
                Thread.sleep(15_000);
              } catch (InterruptedException e) {
                // then now
              }
              Runtime.getRuntime().halt(code);
            });
    dog.setDaemon(true);
    dog.start();
    System.exit(rc); // not halt: a flight recording is written by a shutdown hook
  }

  String opt(String k, String d) {
    return o.getOrDefault(k, d);
  }

  long num(String k, long d) {
    return Long.parseLong(opt(k, Long.toString(d)).replace("_", ""));
  }

  void run() throws Exception {
    tpl = Template.read(Path.of(opt("sql", "")));
    work = Path.of(opt("work", ""));
    warehouse = Path.of(opt("warehouse", work.resolve("wh").toString()));
    Files.createDirectories(warehouse);
    parallelism = (int) num("parallelism", 2);
    partitions = (int) num("partitions", 2);
    rows = num("rows", 1_000_000);
    keys = num("keys", 1_000_000);
    keys -= keys % parallelism;
    String w = opt("workload", "append");
    out.put("system", opt("system", "?"));
    out.put("workload", w);
    if (o.containsKey("tag")) {
      out.put("tag", opt("tag", ""));
    }
    out.put("flink", org.apache.flink.runtime.util.EnvironmentInformation.getVersion());
    out.put("rows", rows);
    out.put("keys", keys);
    out.put("dist", opt("dist", "uniform"));
    out.put("parallelism", parallelism);
    if (tpl.unsupported.contains(w)) {
      out.put("status", "unsupported");
      return;
    }
    startCluster();
    switch (w) {
      case "append":
        append();
        break;
      case "upsert-load":
        warm("upsert");
        main(load("load"));
        verify();
        break;
      case "upsert-update":
        upsertUpdate(Gen.Mode.UPDATE);
        break;
      case "cdc":
        upsertUpdate(Gen.Mode.CDC);
        break;
      case "partial-update":
        upsertUpdate(Gen.Mode.PARTIAL);
        break;
      case "snapshot-read":
        prepareDeltas();
        main(scan("snapshot-read"));
        break;
      case "projected-read":
        prepareDeltas();
        main(projected("projected-read"));
        break;
      case "snapshot-read-compacted":
        prepareDeltas();
        compact();
        main(scan("snapshot-read-compacted"));
        break;
      case "reads": // the three above over one table, in one JVM
        prepareDeltas();
        main(scan("snapshot-read"));
        projected("projected-read");
        if (tpl.sections.containsKey("compact")) {
          compact();
          scan("snapshot-read-compacted");
          projected("projected-read-compacted");
          verify();
        }
        break;
      case "point-update-amplification":
        amplification();
        break;
      case "stream-read":
        streamRead();
        break;
      case "restart":
        restart();
        break;
      default:
        throw new IllegalArgumentException("workload " + w);
    }
  }

  // ---- workloads

  void append() throws Exception {
    warm("append");
    Gen.Spec s = spec(Gen.Mode.APPEND, rows, 0);
    s.perCommit = num("rows-per-commit", 0);
    main(insert("append", s, "append", T));
    verify();
  }

  void upsertUpdate(Gen.Mode mode) throws Exception {
    String sec = mode == Gen.Mode.PARTIAL ? "partial" : "upsert";
    if (!tpl.sections.containsKey("table " + sec)) {
      out.put("status", "unsupported");
      return;
    }
    ddl = sec;
    load("load");
    Gen.Spec s = spec(mode, rows, keys);
    s.perCommit = num("rows-per-commit", 0);
    main(insert(mode.name().toLowerCase(), s, sec, T));
    verify();
  }

  /** K keys, then N updates in --commits commits: the same number of deltas for every system. */
  void prepareDeltas() throws Exception {
    ddl = opt("table", "upsert");
    if (o.containsKey("skip-prepare")) {
      return;
    }
    load("load");
    if (rows > 0) {
      Gen.Spec s = spec(Gen.Mode.UPDATE, rows, keys);
      s.perCommit = Math.max(2, rows / num("commits", 5));
      s.perCommit -= s.perCommit % 2;
      insert("update", s, ddl, T);
    }
    verify();
  }

  Map<String, Object> load(String name) throws Exception {
    if (ddl == null) {
      ddl = "upsert";
    }
    Gen.Spec s = spec(Gen.Mode.LOAD, keys, 0);
    if (opt("workload", "").equals("upsert-load")) {
      s.perCommit = num("rows-per-commit", 0);
    } else { // the same number of commits everywhere, however busy the machine
      s.perCommit = Math.max(2, keys / num("load-commits", 4));
      s.perCommit -= s.perCommit % parallelism;
    }
    return insert(name, s, ddl, T);
  }

  void amplification() throws Exception {
    ddl = "upsert";
    load("load");
    long[] table = du();
    int n = (int) num("commits", 10);
    long per = Math.max(2, (long) (keys * Double.parseDouble(opt("fraction", "0.0005"))));
    per -= per % 2;
    Gen.Spec s = spec(Gen.Mode.UPDATE, per * n, keys);
    s.perCommit = per;
    Map<String, Object> p = insert("point-updates", s, "upsert", T);
    main(p);
    out.put("table_bytes", table[0]);
    out.put("rows_per_commit", per);
    out.put("bytes_written_per_commit", p.get("bytes_per_commit"));
    out.put(
        "bytes_written_per_updated_row",
        Math.round(((Long) p.get("io_written")).doubleValue() / (per * n)));
    out.put(
        "written_over_table", round(((Long) p.get("io_written")).doubleValue() / n / table[0], 5));
    verify();
  }

  void streamRead() throws Exception {
    ddl = "append";
    int commits = (int) num("commits", 10);
    Gen.Spec s = spec(Gen.Mode.APPEND, rows, 0);
    s.perCommit = rows / commits;
    s.perCommit -= s.perCommit % 2;
    insert("write", s, "append", T);
    TableEnvironment env = env(true, Map.of("execution.checkpointing.interval", "5 s"));
    table(env, "append", T);
    env.executeSql("CREATE TEMPORARY TABLE bh (" + COLUMNS + ") WITH ('connector' = 'blackhole')");
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("phase", "stream-read");
    Usage u = new Usage();
    long t0 = System.nanoTime();
    TableResult r =
        env.executeSql(
            "INSERT INTO bh SELECT * FROM "
                + T
                + " "
                + tpl.hint("stream", "append")
                + " WHERE bench_seen(ts)");
    JobID reader = r.getJobClient().get().getJobID();
    long deadline = System.nanoTime() + num("timeout-s", 180) * 1_000_000_000L;
    while (Control.SEEN.get() < rows) {
      check(reader);
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "stream read saw " + Control.SEEN.get() + " of " + rows + " rows");
      }
      Thread.sleep(5);
    }
    u.done(p);
    p.put("rows", Control.SEEN.get());
    p.put("first_row_s", sec(Control.seenFirstNanos - t0));
    p.put("wall_s", sec(Control.seenLastNanos - t0));
    p.put(
        "rows_per_s", Math.round(rows / ((Control.seenLastNanos - Control.seenFirstNanos) / 1e9)));
    main(p);
    // latency: small commits while the reader waits
    int n = (int) num("latency-commits", 8);
    long per = num("latency-rows", 2000);
    Gen.Spec ls = spec(Gen.Mode.APPEND, n * per, rows);
    ls.perCommit = per;
    Control.seenBaseSeq = rows;
    Control.SEEN_BATCH.clear();
    Control.perCommit = per;
    CommitWatch cw = new CommitWatch();
    List<Double> lat = new ArrayList<>();
    paced = true;
    insert("latency-write", ls, "append", T);
    paced = false;
    long until = System.nanoTime() + 30_000_000_000L;
    while (Control.SEEN.get() < rows + n * per && System.nanoTime() < until) {
      Thread.sleep(5);
    }
    cw.close();
    List<Long> times = new ArrayList<>(cw.seen.keySet());
    for (int b = 0; b < n && b < times.size(); b++) {
      long[] v = Control.SEEN_BATCH.get((long) b);
      if (v != null && v[0] >= per) {
        lat.add((v[1] - times.get(b)) / 1e9);
      }
    }
    Collections.sort(lat);
    out.put("latency_commits", lat.size());
    if (!lat.isEmpty()) {
      out.put("latency_commit_to_row_p50_s", round(lat.get(lat.size() / 2), 3));
      out.put("latency_commit_to_row_max_s", round(lat.get(lat.size() - 1), 3));
    }
    out.put("stream_rows_seen", Control.SEEN.get());
    mc.cancelJob(reader).get();
    verify();
  }

  void restart() throws Exception {
    ddl = "upsert";
    Gen.Spec a = spec(Gen.Mode.LOAD_UPDATE, keys, 0);
    a.loadRows = keys;
    a.hold = true;
    a.perCommit = keys;
    heldWatch = new CommitWatch();
    Map<String, Object> p = insert("load", a, "upsert", T);
    heldWatch.close();
    heldWatch = null;
    String path = (String) p.get("external_path");
    long upd = Math.max(2, num("rows", 10_000));
    upd -= upd % 2;
    Gen.Spec b = spec(Gen.Mode.LOAD_UPDATE, keys + upd, 0);
    b.loadRows = keys;
    b.perCommit = upd;
    CommitWatch cw = new CommitWatch();
    long t0 = System.nanoTime();
    Map<String, Object> q =
        insert(
            "restart",
            b,
            "upsert",
            T,
            Map.of(
                "execution.savepoint.path",
                path,
                "execution.state-recovery.path",
                path,
                // Paimon fails once on purpose after it has committed what the checkpoint held
                "restart-strategy",
                "fixed-delay",
                "restart-strategy.type",
                "fixed-delay",
                "restart-strategy.fixed-delay.attempts",
                "3",
                "restart-strategy.fixed-delay.delay",
                "100 ms"));
    cw.close();
    main(q);
    out.put("restored_from_bytes", p.get("ckpt_state_bytes"));
    out.put("plan_s", q.get("plan_s"));
    out.put("restart_to_first_row_s", round((Double) q.get("submit_to_first_row_s"), 3));
    if (!cw.seen.isEmpty()) {
      out.put(
          "restart_to_first_commit_s",
          round((cw.seen.firstKey() - t0) / 1e9 - (Double) q.get("plan_s"), 3));
    }
    expected = new Gen.Expected();
    expected.apply(b);
    verify();
  }

  // ---- pieces

  Gen.Spec spec(Gen.Mode mode, long n, long startSeq) {
    Gen.Spec s = new Gen.Spec();
    s.mode = mode;
    s.rows = n;
    s.keys = keys;
    s.startSeq = startSeq;
    s.zipf = opt("dist", "uniform").equals("zipf");
    s.partitions = partitions;
    s.splits = parallelism;
    return s;
  }

  void main(Map<String, Object> phase) {
    for (String k :
        List.of(
            "rows_per_s",
            "wall_s",
            "cpu_s",
            "rows_per_cpu_s",
            "gc_s",
            "disk_bytes",
            "files",
            "io_written",
            "ckpt_count",
            "ckpt_p50_ms",
            "ckpt_p99_ms",
            "ckpt_sync_p99_ms",
            "ckpt_async_p99_ms",
            "heap_peak_mb",
            "first_s",
            "best_s",
            "median_s",
            "first_row_s",
            "filter_median_s",
            "rows_per_s_median")) {
      if (phase.containsKey(k)) {
        out.put(k, phase.get(k));
      }
    }
  }

  boolean warming;

  void warm(String section) throws Exception {
    long n = num("warmup", 200_000);
    if (n <= 0) {
      return;
    }
    warming = true;
    Gen.Spec s =
        spec(section.equals("append") ? Gen.Mode.APPEND : Gen.Mode.LOAD, n - n % parallelism, 0);
    s.keys = s.rows;
    insert("warm", s, section, "warm_t");
    warming = false;
    phases.clear();
  }

  void startCluster() throws Exception {
    Map<String, String> c = new HashMap<>();
    c.put("rest.port", "0");
    c.put("rest.bind-port", "0");
    c.put("rest.address", "localhost");
    c.put("web.checkpoints.history", "2000");
    c.put("taskmanager.memory.managed.size", opt("managed", "512m"));
    c.put("taskmanager.memory.network.min", "128m");
    c.put("taskmanager.memory.network.max", "128m");
    c.put("io.tmp.dirs", Files.createDirectories(work.resolve("tmp")).toString());
    c.put("heartbeat.timeout", "300000");
    c.putAll(tpl.conf);
    Configuration conf = Configuration.fromMap(c);
    mc =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(conf)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(4 * parallelism)
                .build());
    mc.start();
    rest = mc.getRestAddress().get();
    ContextEnv.install(
        Map.of(
            "rest.address", rest.getHost(),
            "rest.port", Integer.toString(rest.getPort()),
            "parallelism.default", Integer.toString(parallelism)));
  }

  String subst(String s, String table) {
    return s.replace("${WAREHOUSE}", warehouse.toUri().toString().replaceAll("/$", ""))
        .replace("${WAREHOUSE_PATH}", warehouse.toString())
        .replace("${TABLE}", table)
        .replace("${COLUMNS}", COLUMNS)
        .replace("${PK}", partitions > 0 ? "id, pt" : "id")
        .replace("${PARTITIONED_BY}", partitions > 0 ? "PARTITIONED BY (pt)" : "")
        .replace("${BUCKETS}", opt("buckets", "4"));
  }

  TableEnvironment env(boolean streaming, Map<String, String> extra) {
    Map<String, String> c = new HashMap<>();
    c.put("execution.target", "remote");
    c.put("execution.attached", "false");
    c.put("rest.address", rest.getHost());
    c.put("rest.port", Integer.toString(rest.getPort()));
    c.put("parallelism.default", Integer.toString(parallelism));
    c.put("table.exec.sink.upsert-materialize", "NONE");
    c.put("table.local-time-zone", "UTC");
    String ck = work.resolve("ckpt").toUri().toString();
    c.put("state.checkpoints.dir", ck);
    c.put("execution.checkpointing.dir", ck);
    c.put("execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    c.put("execution.checkpointing.mode", "EXACTLY_ONCE");
    c.put("restart-strategy", "none");
    c.put("restart-strategy.type", "none");
    c.putAll(tpl.conf);
    c.putAll(extra);
    c.put("execution.runtime-mode", streaming ? "STREAMING" : "BATCH");
    Configuration conf = Configuration.fromMap(c);
    EnvironmentSettings.Builder b = EnvironmentSettings.newInstance().withConfiguration(conf);
    TableEnvironment env =
        StreamTableEnvironment.create(
            new StreamExecutionEnvironment(conf),
            (streaming ? b.inStreamingMode() : b.inBatchMode()).build());
    env.createTemporarySystemFunction("row_hash", RowHash.class);
    env.createTemporarySystemFunction("bench_seen", Seen.class);
    for (String s : tpl.sections.get("setup")) {
      env.executeSql(subst(s, T));
    }
    return env;
  }

  void table(TableEnvironment env, String section, String name) {
    List<String> st = tpl.sections.get("table " + section);
    if (st == null) {
      throw new IllegalStateException("no section 'table " + section + "'");
    }
    for (String s : st) {
      env.executeSql(subst(s, name));
    }
  }

  volatile boolean paced;
  CommitWatch heldWatch;

  Map<String, Object> insert(String name, Gen.Spec s, String section, String table)
      throws Exception {
    return insert(name, s, section, table, Collections.emptyMap());
  }

  Map<String, Object> insert(
      String name, Gen.Spec s, String section, String table, Map<String, String> extra)
      throws Exception {
    if (!warming) {
      ddl = section;
      if (s.mode != Gen.Mode.LOAD_UPDATE && table.equals(T)) {
        if (expected == null) {
          expected = new Gen.Expected();
        }
        expected.apply(s);
      }
    }
    boolean gated = s.perCommit > 0;
    Control.Run run = new Control.Run(s);
    Control.RUNS.put(name, run);
    Map<String, String> conf = new HashMap<>(extra);
    conf.put("execution.checkpointing.interval", gated ? "3600 s" : opt("interval", "5 s"));
    TableEnvironment env = env(true, conf);
    table(env, section, table);
    env.executeSql(
        "CREATE TEMPORARY TABLE gen_src ("
            + COLUMNS
            + ", PRIMARY KEY ("
            + subst("${PK}", table)
            + ") NOT ENFORCED) WITH ('connector' = 'benchgen', 'run' = '"
            + name
            + "')");
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("phase", name);
    p.put("rows", s.rows);
    long[] du0 = du();
    Usage u = new Usage();
    long io0 = io("wchar");
    long t0 = System.nanoTime();
    TableResult r =
        env.executeSql(
            "INSERT INTO "
                + table
                + " "
                + tpl.hint("sink", section)
                + " SELECT "
                + NAMES
                + " FROM gen_src");
    JobID id = r.getJobClient().get().getJobID();
    long tSubmit = System.nanoTime();
    CompletableFuture<JobResult> result = mc.requestJobResult(id);
    long batches = 0;
    List<Long> perCommit = new ArrayList<>();
    List<Double> commitMs = new ArrayList<>();
    io0 = io("wchar"); // without what the submission wrote
    long ioLast = io0;
    boolean held = false;
    while (!result.isDone()) {
      if (gated && run.minBatch() > batches && !(run.allDone() && !s.hold)) {
        batches++;
        if (paced) {
          Thread.sleep(700 + 137 * batches % 1000);
        }
        long c0 = System.nanoTime();
        trigger(id, result);
        commitMs.add((System.nanoTime() - c0) / 1e6);
        long io = io("wchar");
        perCommit.add(io - ioLast);
        ioLast = io;
        if (s.hold && run.allDone()) {
          held = true;
          break;
        }
      } else if (run.allDone() && !s.hold) {
        if (paced && batches >= 0) {
          Thread.sleep(1100);
          batches = -1;
        }
        trigger(id, result);
        Thread.sleep(5);
      } else {
        Thread.sleep(1);
      }
    }
    if (held) {
      CompletedCheckpointStats last = null;
      for (int i = 0;
          i < 1000 && last == null && !result.isDone();
          i++) { // the statistics may lag behind the checkpoint
        last =
            mc.getExecutionGraph(id)
                .get()
                .getCheckpointStatsSnapshot()
                .getHistory()
                .getLatestCompletedCheckpoint();
        Thread.sleep(10);
      }
      check(id);
      if (last == null) {
        throw new IllegalStateException("no completed checkpoint");
      }
      p.put("external_path", last.getExternalPath());
      for (int i = 0; i < 3000 && heldWatch != null && heldWatch.seen.isEmpty(); i++) {
        Thread.sleep(10); // the commit follows the checkpoint
      }
      Thread.sleep(num("settle-ms", 500));
      mc.cancelJob(id).get();
      result.get();
    } else {
      JobResult jr = result.get();
      if (!jr.isSuccess()) {
        throw new IllegalStateException(
            "job " + name + " failed",
            jr.getSerializedThrowable().get().deserializeError(Main.class.getClassLoader()));
      }
    }
    long t1 = System.nanoTime();
    perCommit.add(io("wchar") - ioLast);
    long first = run.firstNanos == 0 ? t1 : run.firstNanos;
    p.put("wall_s", sec(t1 - first));
    p.put("rows_per_s", Math.round(s.rows / ((t1 - first) / 1e9)));
    p.put("plan_s", sec(tSubmit - t0));
    p.put("submit_to_first_row_s", sec(first - tSubmit));
    u.done(p);
    p.put("rows_per_cpu_s", Math.round(s.rows / Math.max(0.001, (Double) p.get("cpu_s"))));
    p.put("io_written", io("wchar") - io0);
    if (gated) {
      p.put("bytes_per_commit", perCommit);
      p.put("ckpt_trigger_to_done_ms", commitMs);
    }
    long[] du = du();
    p.put("disk_bytes", du[0]);
    p.put("files", du[1]);
    p.put("disk_bytes_added", du[0] - du0[0]);
    checkpoints(id, p);
    phases.add(p);
    return p;
  }

  void trigger(JobID id, CompletableFuture<JobResult> result) throws Exception {
    while (!result.isDone()) {
      try {
        CompletableFuture.anyOf(triggerCheckpoint(id), result).get();
        return;
      } catch (java.util.concurrent.ExecutionException e) {
        Thread.sleep(50); // another checkpoint is under way, or tasks are not all running
      }
    }
  }

  /** MiniCluster.triggerCheckpoint takes one argument in Flink 1.17, two later. */
  CompletableFuture<?> triggerCheckpoint(JobID id) throws Exception {
    for (java.lang.reflect.Method m : MiniCluster.class.getMethods()) {
      if (m.getName().equals("triggerCheckpoint")) {
        if (m.getParameterCount() == 1) {
          return (CompletableFuture<?>) m.invoke(mc, id);
        }
        if (m.getParameterCount() == 2 && m.getParameterTypes()[1] == CheckpointType.class) {
          return (CompletableFuture<?>) m.invoke(mc, id, CheckpointType.CONFIGURED);
        }
      }
    }
    throw new IllegalStateException("no triggerCheckpoint");
  }

  void check(JobID id) throws Exception {
    JobStatus st = mc.getJobStatus(id).get();
    if (st.isGloballyTerminalState()) {
      JobResult jr = mc.requestJobResult(id).get();
      throw new IllegalStateException(
          "job ended: " + st,
          jr.getSerializedThrowable()
              .map(t -> t.deserializeError(Main.class.getClassLoader()))
              .orElse(null));
    }
  }

  void checkpoints(JobID id, Map<String, Object> p) throws Exception {
    CheckpointStatsSnapshot snap = mc.getExecutionGraph(id).get().getCheckpointStatsSnapshot();
    if (snap == null) {
      return;
    }
    List<Double> e2e = new ArrayList<>();
    List<Double> sync = new ArrayList<>();
    List<Double> async = new ArrayList<>();
    long state = 0;
    for (AbstractCheckpointStats c : snap.getHistory().getCheckpoints()) {
      if (!(c instanceof CompletedCheckpointStats)) {
        continue;
      }
      e2e.add((double) c.getEndToEndDuration());
      long s = 0;
      long a = 0;
      for (TaskStateStats t : c.getAllTaskStateStats()) {
        s = Math.max(s, t.getSummaryStats().getSyncCheckpointDurationStats().getMaximum());
        a = Math.max(a, t.getSummaryStats().getAsyncCheckpointDurationStats().getMaximum());
      }
      sync.add((double) s);
      async.add((double) a);
      state += c.getStateSize();
    }
    p.put("ckpt_count", e2e.size());
    p.put("ckpt_failed", snap.getCounts().getNumberOfFailedCheckpoints());
    p.put("ckpt_p50_ms", pct(e2e, 0.5));
    p.put("ckpt_p99_ms", pct(e2e, 0.99));
    p.put("ckpt_sync_p99_ms", pct(sync, 0.99));
    p.put("ckpt_async_p99_ms", pct(async, 0.99));
    p.put("ckpt_state_bytes", state);
  }

  void compact() throws Exception {
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("phase", "compact");
    TableEnvironment env = env(false, Collections.emptyMap());
    table(env, ddl, T);
    Usage u = new Usage();
    long io0 = io("wchar");
    long t0 = System.nanoTime();
    for (String s : tpl.sections.get("compact")) {
      String st = subst(s, T);
      if (st.startsWith("@main ")) {
        String[] a = st.substring(6).trim().split("\\s+");
        Class.forName(a[0])
            .getMethod("main", String[].class)
            .invoke(null, (Object) Arrays.copyOfRange(a, 1, a.length));
      } else {
        TableResult r = env.executeSql(st);
        if (r.getJobClient().isPresent()) {
          r.await();
        }
      }
      for (boolean busy = true; busy; ) {
        busy =
            mc.listJobs().get().stream().anyMatch(j -> !j.getJobState().isGloballyTerminalState());
        Thread.sleep(10);
      }
    }
    p.put("wall_s", sec(System.nanoTime() - t0));
    u.done(p);
    p.put("io_written", io("wchar") - io0);
    long[] du = du();
    p.put("disk_bytes", du[0]);
    p.put("files", du[1]);
    phases.add(p);
  }

  Map<String, Object> scan(String name) throws Exception {
    String q =
        "SELECT COUNT(*), SUM(CAST(c_int AS BIGINT)), SUM(CAST(c_qty AS BIGINT)), SUM(c_long),"
            + " SUM(c_dbl), SUM(c_dec), MAX(c_name), SUM(CAST(CHAR_LENGTH(c_tag) AS BIGINT)),"
            + " MAX(ts) FROM "
            + T
            + " "
            + tpl.hint("batch", ddl);
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("phase", name);
    repeat(q, p, "");
    long[] du = du();
    p.put("disk_bytes", du[0]);
    p.put("files", du[1]);
    p.put("rows_per_s", Math.round(keys / (Double) p.get("median_s")));
    phases.add(p);
    return p;
  }

  Map<String, Object> projected(String name) throws Exception {
    Map<String, Object> p = new LinkedHashMap<>();
    p.put("phase", name);
    repeat("SELECT SUM(c_long) FROM " + T + " " + tpl.hint("batch", ddl), p, "");
    repeat(
        "SELECT SUM(c_long) FROM "
            + T
            + " "
            + tpl.hint("batch", ddl)
            + " WHERE id < CAST("
            + keys / 10
            + " AS BIGINT)"
            + (partitions > 0 ? " AND pt = 'p0'" : ""),
        p,
        "filter_");
    p.put("rows_per_s", Math.round(keys / (Double) p.get("median_s")));
    phases.add(p);
    return p;
  }

  void repeat(String q, Map<String, Object> p, String prefix) throws Exception {
    int n = (int) num("repeat", 3);
    List<Double> t = new ArrayList<>();
    TableEnvironment env = env(false, Collections.emptyMap());
    table(env, ddl, T);
    Usage u = new Usage();
    long io0 = io("rchar");
    for (int i = 0; i < n; i++) {
      long t0 = System.nanoTime();
      try (CloseableIterator<Row> it = env.executeSql(q).collect()) {
        Row r = it.next();
        p.put(prefix + "result", String.valueOf(r));
      }
      t.add((System.nanoTime() - t0) / 1e9);
    }
    if (prefix.isEmpty()) {
      u.done(p);
      p.put("cpu_s", round((Double) p.get("cpu_s") / n, 3));
      p.put("io_read_per_run", (io("rchar") - io0) / n);
    }
    p.put(prefix + "first_s", round(t.get(0), 3));
    Collections.sort(t);
    p.put(prefix + "best_s", round(t.get(0), 3));
    p.put(prefix + "median_s", round(t.get(t.size() / 2), 3));
  }

  void verify() throws Exception {
    if (expected == null
        || opt("verify", "true").equals("false")
        || opt("no-verify", "false").equals("true")
        || tpl.unsupported.contains("verify")) {
      return;
    }
    expected.finish();
    TableEnvironment env = env(false, Collections.emptyMap());
    table(env, ddl, T);
    long count;
    long hash;
    try (CloseableIterator<Row> it =
        env.executeSql(
                "SELECT COUNT(*), SUM(row_hash("
                    + NAMES
                    + ")) FROM "
                    + T
                    + " "
                    + tpl.hint("batch", ddl))
            .collect()) {
      Row r = it.next();
      count = (Long) r.getField(0);
      hash = r.getField(1) == null ? 0 : (Long) r.getField(1);
    }
    boolean ok = count == expected.count && hash == expected.hash;
    out.put("check", ok ? "equal" : "DIFFERENT");
    out.put("final_rows", count);
    out.put("final_hash", hash);
    if (!ok) {
      out.put("expected_rows", expected.count);
      out.put("expected_hash", expected.hash);
      out.put("status", "wrong-result");
    }
  }

  // ---- measuring

  final class Usage {
    final long cpu = cpu();
    final long gc = gc();
    final ThreadCpu threads = opt("threads", "false").equals("true") ? new ThreadCpu() : null;

    Usage() {
      for (MemoryPoolMXBean b : ManagementFactory.getMemoryPoolMXBeans()) {
        b.resetPeakUsage();
      }
    }

    void done(Map<String, Object> p) {
      p.put("cpu_s", sec(cpu() - cpu));
      p.put("gc_s", round((gc() - gc) / 1e3, 3));
      if (threads != null) {
        p.put("cpu_s_by_thread", threads.seconds());
        threads.close();
      }
      long peak = 0;
      for (MemoryPoolMXBean b : ManagementFactory.getMemoryPoolMXBeans()) {
        if (b.getType() == MemoryType.HEAP) {
          peak += b.getPeakUsage().getUsed();
        }
      }
      p.put("heap_peak_mb", peak >> 20);
    }
  }

  static long cpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  static long gc() {
    return ManagementFactory.getGarbageCollectorMXBeans().stream()
        .mapToLong(b -> b.getCollectionTime())
        .sum();
  }

  static long statusKb(String key) {
    try (Stream<String> s = Files.lines(Path.of("/proc/self/status"))) {
      return s.filter(l -> l.startsWith(key))
          .map(l -> l.replaceAll("[^0-9]", ""))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  static long io(String key) {
    try (Stream<String> s = Files.lines(Path.of("/proc/self/io"))) {
      return s.filter(l -> l.startsWith(key + ":"))
          .map(l -> l.replaceAll("[^0-9]", ""))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }

  /** Bytes and files (checksum side files apart) below directories named like the table. */
  long[] du() throws IOException {
    long[] r = new long[2];
    Path name = Path.of(T);
    for (int tries = 0; ; tries++) {
      r[0] = r[1] = 0;
      try (Stream<Path> s = Files.walk(warehouse)) {
        s.filter(Files::isRegularFile)
            .forEach(
                f -> {
                  for (Path c : warehouse.relativize(f)) {
                    if (c.equals(name)) {
                      try {
                        r[0] += Files.size(f);
                        r[1] += f.toString().endsWith(".crc") ? 0 : 1;
                      } catch (IOException e) {
                        // gone meanwhile
                      }
                      return;
                    }
                  }
                });
        return r;
      } catch (NoSuchFileException | java.io.UncheckedIOException e) {
        if (tries == 20) {
          throw e;
        }
      }
    }
  }

  /** Notes when each file that marks a commit becomes visible. */
  final class CommitWatch implements AutoCloseable {
    final java.util.concurrent.ConcurrentSkipListMap<Long, String> seen =
        new java.util.concurrent.ConcurrentSkipListMap<>();
    private final java.util.Set<String> known = new java.util.HashSet<>();
    private final Path dir = Path.of(subst(tpl.commitDir, T));
    private final Pattern re = Pattern.compile(tpl.commitRegex);
    private volatile boolean stop;
    private final Thread t = new Thread(this::loop, "commit-watch");

    CommitWatch() {
      scan(false);
      t.setDaemon(true);
      t.start();
    }

    private void scan(boolean note) {
      String[] l = dir.toFile().list();
      if (l != null) {
        for (String f : l) {
          if (re.matcher(f).matches() && known.add(f) && note) {
            seen.put(System.nanoTime(), f);
          }
        }
      }
    }

    private void loop() {
      while (!stop) {
        scan(true);
        try {
          Thread.sleep(2);
        } catch (InterruptedException e) {
          return;
        }
      }
    }

    @Override
    public void close() throws Exception {
      stop = true;
      t.join();
      scan(true);
    }
  }

  static double sec(long nanos) {
    return round(nanos / 1e9, 3);
  }

  static double round(double d, int n) {
    double f = Math.pow(10, n);
    return Math.round(d * f) / f;
  }

  static Object pct(List<Double> l, double q) {
    if (l.isEmpty()) {
      return null;
    }
    List<Double> s = new ArrayList<>(l);
    Collections.sort(s);
    return Math.round(
        s.get(
            (int)
                Math.min(
                    s.size() - 1,
                    Math.ceil(q * s.size()) - 1 < 0 ? 0 : Math.ceil(q * s.size()) - 1)));
  }
}
