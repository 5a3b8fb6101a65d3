package io.hudilite.oracle;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hudi.client.common.HoodieSparkEngineContext;
import org.apache.hudi.common.config.HoodieMetadataConfig;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.view.FileSystemViewManager;
import org.apache.hudi.common.table.view.HoodieTableFileSystemView;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * The {@code validate} command: asks Hudi all that it can say of a table. Each part is tried,
 * whatever fails before it; a failed part is named under "failures" and makes the exit code 1.
 */
final class Validation {

  private static final String FAR_FUTURE = "99991231235959999";

  private interface Part {
    void run() throws Exception;
  }

  private final SparkSession spark;
  private final String path;
  private final ObjectNode told = Oracle.JSON.createObjectNode();
  private final ObjectNode failures = Oracle.JSON.createObjectNode();

  private Validation(SparkSession spark, String path) {
    this.spark = spark;
    this.path = path;
  }

  static int run(SparkSession spark, Args args, PrintStream out) throws Exception {
    String path = args.path("PATH");
    args.end();
    return new Validation(spark, path).run(out);
  }

  private int run(PrintStream out) throws Exception {
    told.put("hudi", System.getProperty("oracle.hudi"));
    part("properties", this::properties);
    part("timeline", this::timeline);
    part("slices", this::slices);
    part("snapshot", () -> rows("snapshot"));
    part("read_optimized", () -> rows("read_optimized"));
    part("invalid_parquet", this::invalidParquet);
    told.set("failures", failures);
    out.println(Oracle.JSON.writerWithDefaultPrettyPrinter().writeValueAsString(told));
    return failures.isEmpty() ? 0 : 1;
  }

  private void part(String name, Part part) {
    try {
      part.run();
    } catch (Throwable e) {
      failures.put(name, Oracle.causes(e));
    }
  }

  private void properties() {
    ObjectNode node = told.putObject("properties");
    HoodieTableMetaClient client = Tables.open(spark, path);
    new TreeMap<>(client.getTableConfig().getProps())
        .forEach((k, v) -> node.put(k.toString(), v.toString()));
  }

  private void timeline() {
    ArrayNode node = told.putArray("timeline");
    Tables.timeline(spark, path).forEach(node::add);
    told.put("archived", Tables.open(spark, path).getArchivedTimeline().getInstants().size());
  }

  /** The newest slice of each file group, from a listing, as a snapshot query sees them. */
  private void slices() throws Exception {
    ArrayNode node = told.putArray("slices");
    HoodieTableMetaClient client = Tables.open(spark, path);
    HoodieSparkEngineContext engine =
        new HoodieSparkEngineContext(JavaSparkContext.fromSparkContext(spark.sparkContext()));
    HoodieMetadataConfig listing = HoodieMetadataConfig.newBuilder().enable(false).build();
    HoodieTableFileSystemView view =
        FileSystemViewManager.createInMemoryFileSystemView(engine, client, listing);
    try {
      for (String partition : Tables.partitions(path)) {
        List<FileSlice> slices =
            view.getLatestMergedFileSlicesBeforeOrOn(partition, FAR_FUTURE)
                .sorted(Comparator.comparing(FileSlice::getFileId))
                .collect(Collectors.toList());
        for (FileSlice slice : slices) {
          ObjectNode s = node.addObject();
          s.put("partition", partition);
          s.put("file_id", slice.getFileId());
          s.put("base_instant", slice.getBaseInstantTime());
          s.put(
              "base",
              slice.getBaseFile().isPresent() ? slice.getBaseFile().get().getFileName() : null);
          ArrayNode logs = s.putArray("logs");
          List<String> names =
              slice
                  .getLogFiles()
                  .map(HoodieLogFile::getFileName)
                  .sorted()
                  .collect(Collectors.toList());
          names.forEach(logs::add);
        }
      }
    } finally {
      view.close();
    }
  }

  /** Reads every row in full, and counts keys that come more than once. */
  private void rows(String query) {
    Dataset<Row> rows =
        spark.read().format("hudi").option("hoodie.datasource.query.type", query).load(path);
    List<Row> all = rows.collectAsList();
    ObjectNode node = told.putObject(query);
    node.put("rows", all.size());
    List<String> names = List.of(rows.columns());
    if (names.contains("_hoodie_record_key")) {
      int key = names.indexOf("_hoodie_record_key");
      int partition = names.indexOf("_hoodie_partition_path");
      Map<String, Integer> inPartition = new TreeMap<>();
      Map<String, Integer> inTable = new TreeMap<>();
      for (Row r : all) {
        inPartition.merge(r.get(partition) + " " + r.get(key), 1, Integer::sum);
        inTable.merge(String.valueOf(r.get(key)), 1, Integer::sum);
      }
      node.put("distinct_keys", inTable.size());
      inPartition.values().removeIf(n -> n == 1);
      node.put("duplicate_keys", inPartition.size());
      inPartition.keySet().stream().limit(20).forEach(node.withArray("duplicates")::add);
    }
    node.put("schema", rows.drop(Reader.META.toArray(new String[0])).schema().toDDL());
  }

  private void invalidParquet() {
    List<String> bad =
        spark.sql("CALL show_invalid_parquet(path => '" + path + "')").toJSON().collectAsList();
    bad.forEach(told.withArray("invalid_parquet")::add);
    if (!bad.isEmpty()) {
      throw new IllegalStateException(bad.size() + " parquet files that can not be read");
    }
  }
}
