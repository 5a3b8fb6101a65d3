package io.hudilite.oracle;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** The command line: one command, or many of them in one Java process with {@code batch}. */
public final class Oracle {

  static final ObjectMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private static final String USAGE =
      "usage: hudi-oracle [--hudi 0.15.0|1.0.2|1.1.1|1.2.0] COMMAND\n"
          + "  read PATH [--query snapshot|read_optimized|incremental|cdc] [--begin T] [--end T]\n"
          + "       [--as-of T] [--columns a,b] [--where SQL] [--order-by a,b] [--meta]\n"
          + "       [--format json|csv] [--option KEY=VALUE]...\n"
          + "  write PATH --script FILE\n"
          + "  validate PATH\n"
          + "  sql STATEMENT\n"
          + "  batch FILE\n"
          + "  serve\n";

  /** Stdout as it was at the start: libraries that print to System.out go to stderr. */
  private static PrintStream stdout;

  private static SparkSession spark;

  /** What the last command failed with, or null. */
  private static String failure;

  private Oracle() {}

  public static void main(String[] argv) {
    stdout =
        new PrintStream(
            new FileOutputStream(java.io.FileDescriptor.out), false, StandardCharsets.UTF_8);
    System.setOut(System.err);
    int code = run(List.of(argv), stdout);
    stdout.flush();
    if (spark != null) {
      spark.stop();
    }
    System.exit(code);
  }

  /** Runs one command; a failure is told on stderr and by the result, which is then not 0. */
  private static int run(List<String> argv, PrintStream out) {
    try {
      Args args = new Args(argv);
      switch (args.word("COMMAND")) {
        case "read":
          Reader.read(spark(), args, out);
          return 0;
        case "write":
          Scenario.run(spark(), args, out);
          return 0;
        case "validate":
          return Validation.run(spark(), args, out);
        case "sql":
          String statement = args.word("STATEMENT");
          args.end();
          Dataset<Row> rows = spark().sql(statement);
          Reader.print(rows, rows.columns(), true, false, out);
          return 0;
        case "batch":
          Path file = Path.of(args.word("FILE"));
          args.end();
          return batch(file, out);
        case "serve":
          args.end();
          return serve(out);
        default:
          throw new Args.Misuse("no such command");
      }
    } catch (Args.Misuse e) {
      failure = e.getMessage();
      System.err.println("hudi-oracle: " + e.getMessage() + "\n" + USAGE);
      return 2;
    } catch (Throwable e) {
      failure = causes(e);
      System.err.println("hudi-oracle: FAILED: " + String.join(" ", argv) + ": " + failure);
      if (!System.getProperty("oracle.log").equals("error")) {
        e.printStackTrace();
      }
      return 1;
    } finally {
      out.flush();
    }
  }

  /**
   * Each line is {@code {"args":["read","PATH",...],"out":"FILE"}}; without {@code out} the result
   * goes to stdout. All lines run, whatever fails; the result is the worst of theirs.
   */
  private static int batch(Path file, PrintStream out) throws Exception {
    int worst = 0;
    for (String line : Files.readAllLines(file)) {
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      ObjectNode command = runLine(line, out);
      System.err.println(command);
      worst = Math.max(worst, command.get("exit").asInt());
    }
    return worst;
  }

  /**
   * Takes such lines from stdin until it ends, each with {@code out}, and answers each on stdout
   * with what became of it: its {@code exit}, the {@code millis} it took, and {@code failed}, if it
   * did.
   */
  private static int serve(PrintStream out) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      out.println(runLine(line, out));
      out.flush();
    }
    return 0;
  }

  private static ObjectNode runLine(String line, PrintStream out) throws IOException {
    ObjectNode command = (ObjectNode) JSON.readTree(line);
    List<String> argv = new ArrayList<>();
    command.get("args").forEach(a -> argv.add(a.asText()));
    long begin = System.nanoTime();
    failure = null;
    if (command.has("out")) {
      try (PrintStream to = new PrintStream(command.get("out").asText(), StandardCharsets.UTF_8)) {
        command.put("exit", run(argv, to));
      }
    } else {
      command.put("exit", run(argv, out));
    }
    if (failure != null) {
      command.put("failed", failure);
    }
    return command.put("millis", (System.nanoTime() - begin) / 1_000_000);
  }

  /** A failure and what caused it, each by the first few lines of what it says. */
  static String causes(Throwable failure) {
    StringBuilder all = new StringBuilder();
    for (Throwable t = failure; t != null; t = t.getCause()) {
      all.append(all.length() == 0 ? "" : " <- ")
          .append(t.toString().lines().limit(4).collect(Collectors.joining(" ")));
    }
    return all.toString();
  }

  private static SparkSession spark() throws Exception {
    if (spark == null) {
      spark =
          SparkSession.builder()
              .appName("hudi-oracle")
              .master("local[2]")
              .config("spark.ui.enabled", "false")
              .config("spark.driver.host", "127.0.0.1")
              .config("spark.driver.bindAddress", "127.0.0.1")
              .config("spark.sql.shuffle.partitions", "2")
              // The tables are small: compiling a plan takes longer than running it.
              .config("spark.sql.codegen.wholeStage", "false")
              .config("spark.sql.codegen.factoryMode", "NO_CODEGEN")
              .config("spark.sql.adaptive.enabled", "false")
              .config("spark.cleaner.referenceTracking", "false")
              .config("spark.sql.session.timeZone", "UTC")
              .config(
                  "spark.sql.warehouse.dir", Files.createTempDirectory("hudi-oracle").toString())
              .config("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
              .config("spark.kryo.registrator", "org.apache.spark.HoodieSparkKryoRegistrar")
              .config(
                  "spark.sql.extensions", "org.apache.spark.sql.hudi.HoodieSparkSessionExtension")
              .config(
                  "spark.sql.catalog.spark_catalog",
                  "org.apache.spark.sql.hudi.catalog.HoodieCatalog")
              .config("spark.hadoop.fs.file.impl", PlainFiles.class.getName())
              // Dates before 1582 are what the file says, whichever writer made it.
              .config("spark.sql.parquet.datetimeRebaseModeInRead", "CORRECTED")
              .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
              .config("spark.sql.parquet.int96RebaseModeInRead", "CORRECTED")
              .config("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
              .config("spark.sql.avro.datetimeRebaseModeInRead", "CORRECTED")
              .config("spark.sql.avro.datetimeRebaseModeInWrite", "CORRECTED")
              .getOrCreate();
    }
    return spark;
  }
}
