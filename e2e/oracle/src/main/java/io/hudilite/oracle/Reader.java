package io.hudilite.oracle;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.to_json;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/** The {@code read} command, and how rows are printed. */
final class Reader {

  static final List<String> META =
      List.of(
          "_hoodie_commit_time",
          "_hoodie_commit_seqno",
          "_hoodie_record_key",
          "_hoodie_partition_path",
          "_hoodie_file_name",
          "_hoodie_operation");

  private static final Map<String, String> TO_JSON =
      Map.of(
          "ignoreNullFields",
          "false",
          "timestampFormat",
          "yyyy-MM-dd'T'HH:mm:ss.SSSSSSXXX",
          "timestampNTZFormat",
          "yyyy-MM-dd'T'HH:mm:ss.SSSSSS");

  private Reader() {}

  static void read(SparkSession spark, Args args, PrintStream out) {
    String path = args.path("PATH");
    String query = args.option("--query").orElse("snapshot");
    DataFrameReader reader = spark.read().format("hudi");
    if (query.equals("cdc")) {
      reader
          .option("hoodie.datasource.query.type", "incremental")
          .option("hoodie.datasource.query.incremental.format", "cdc");
    } else {
      reader.option("hoodie.datasource.query.type", query);
    }
    Optional<String> begin = args.option("--begin").map(t -> instant(spark, path, t));
    if (begin.isPresent() || !query.matches("snapshot|read_optimized")) {
      reader.option("hoodie.datasource.read.begin.instanttime", begin.orElse("000"));
    }
    args.option("--end")
        .ifPresent(
            t -> reader.option("hoodie.datasource.read.end.instanttime", instant(spark, path, t)));
    args.option("--as-of").ifPresent(t -> reader.option("as.of.instant", instant(spark, path, t)));
    for (String o : args.options("--option")) {
      String[] pair = o.split("=", 2);
      reader.option(pair[0], pair[1]);
    }
    Optional<String> columns = args.option("--columns");
    Optional<String> where = args.option("--where");
    Optional<String> orderBy = args.option("--order-by");
    boolean meta = args.flag("--meta");
    boolean csv = args.option("--format").orElse("json").equals("csv");
    args.end();

    Dataset<Row> rows = reader.load(path);
    if (where.isPresent()) {
      rows = rows.where(where.get());
    }
    if (orderBy.isPresent()) {
      rows = rows.orderBy(cols(orderBy.get().split(",")));
    }
    String[] shown =
        columns
            .map(c -> c.split(","))
            .orElse((meta ? rows : rows.drop(META.toArray(new String[0]))).columns());
    print(rows, shown, orderBy.isPresent(), csv, out);
  }

  /**
   * A time as given; or {@code #N}, when the Nth completed action of the active timeline was
   * requested; or {@code #N.done}, when it was completed.
   */
  private static String instant(SparkSession spark, String path, String time) {
    if (!time.startsWith("#")) {
      return time;
    }
    boolean done = time.endsWith(".done");
    int n = Integer.parseInt(time.substring(1, time.length() - (done ? ".done".length() : 0)));
    Tables.Done action = Tables.completed(Tables.timeline(spark, path)).get(n - 1);
    return done && action.completed != null ? action.completed : action.requested;
  }

  /**
   * Prints these columns of the rows, in the order the rows have or else by partition and key, or
   * by their text. That is sorted here and not by Spark: Hudi 1.0.2's reader of changes loses rows
   * when Spark sorts or joins its partitions.
   */
  static void print(
      Dataset<Row> rows, String[] shown, boolean ordered, boolean csv, PrintStream out) {
    if (shown.length == 0) {
      return;
    }
    List<Column> texts = new ArrayList<>();
    if (csv) {
      StructType schema = rows.select(cols(shown)).schema();
      Arrays.stream(schema.fields()).forEach(f -> texts.add(text(f.name(), f.dataType())));
    } else {
      texts.add(to_json(struct(cols(shown)), TO_JSON));
    }
    int width = texts.size();
    if (List.of(rows.columns()).contains("_hoodie_record_key")) {
      texts.add(column("_hoodie_partition_path"));
      texts.add(column("_hoodie_record_key"));
      texts.add(column("_hoodie_commit_seqno"));
    }
    List<Row> all = new ArrayList<>(rows.select(texts.toArray(new Column[0])).collectAsList());
    if (!ordered) {
      int first = texts.size() == width ? 0 : width;
      all.sort(
          Comparator.comparing(
              r ->
                  IntStream.range(first, r.size())
                      .mapToObj(i -> String.valueOf(r.get(i)))
                      .collect(Collectors.joining("\t"))));
    }
    if (csv) {
      out.println(Arrays.stream(shown).map(Reader::quoted).collect(Collectors.joining(",")));
    }
    for (Row r : all) {
      if (csv) {
        out.println(
            IntStream.range(0, width)
                .mapToObj(i -> r.isNullAt(i) ? "" : quoted(r.getString(i)))
                .collect(Collectors.joining(",")));
      } else {
        out.println(r.getString(0));
      }
    }
  }

  private static Column text(String name, DataType type) {
    Column c = column(name);
    if (type instanceof StructType || type instanceof ArrayType || type instanceof MapType) {
      return to_json(c, TO_JSON);
    } else if (type instanceof BinaryType) {
      return org.apache.spark.sql.functions.base64(c);
    } else if (type instanceof TimestampType) {
      return org.apache.spark.sql.functions.date_format(c, TO_JSON.get("timestampFormat"));
    }
    return c.cast("string");
  }

  /** Quoted where needed; an empty string is quoted too, as null is printed as nothing. */
  private static String quoted(String s) {
    boolean plain = !s.isEmpty() && s.chars().noneMatch(c -> ",\"\r\n".indexOf(c) >= 0);
    return plain ? s : '"' + s.replace("\"", "\"\"") + '"';
  }

  private static Column[] cols(String... names) {
    return Arrays.stream(names).map(Reader::column).toArray(Column[]::new);
  }

  private static Column column(String name) {
    return name.contains("`") ? col(name) : col("`" + name.trim() + "`");
  }
}
