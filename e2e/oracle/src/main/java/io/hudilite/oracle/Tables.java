package io.hudilite.oracle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.timeline.HoodieInstant;
import org.apache.hudi.storage.hadoop.HadoopStorageConfiguration;
import org.apache.spark.sql.SparkSession;

/** What is asked of a table through Hudi's own classes. */
final class Tables {

  private Tables() {}

  static boolean exists(String path) {
    return Files.exists(Path.of(path, ".hoodie", "hoodie.properties"));
  }

  static HoodieTableMetaClient open(SparkSession spark, String path) {
    return HoodieTableMetaClient.builder()
        .setConf(new HadoopStorageConfiguration(spark.sparkContext().hadoopConfiguration()))
        .setBasePath(path)
        .build();
  }

  /** The active timeline as Hudi loads and tells it; pending actions start with an arrow. */
  static List<String> timeline(SparkSession spark, String path) {
    return open(spark, path).getActiveTimeline().getInstants().stream()
        .map(HoodieInstant::toString)
        .map(s -> s.substring(1, s.length() - 1))
        .collect(Collectors.toList());
  }

  /** A completed action: when it was asked for, and when it was done (null before Hudi 1). */
  static final class Done {
    final String requested;
    final String completed;

    private Done(String instant) {
      String[] parts = instant.split("__");
      requested = parts[0];
      completed = parts[1].matches("\\d+") ? parts[1] : null;
    }
  }

  /** Of instants in the words of {@link #timeline}, the completed ones. */
  static List<Done> completed(List<String> instants) {
    return instants.stream()
        .filter(s -> s.contains("__COMPLETED"))
        .map(Done::new)
        .collect(Collectors.toList());
  }

  /** Partition paths, found by the marker file that Hudi leaves in each. */
  static List<String> partitions(String path) throws IOException {
    Path base = Path.of(path);
    try (Stream<Path> files = Files.walk(base)) {
      return files
          .filter(f -> f.getFileName().toString().startsWith(".hoodie_partition_metadata"))
          .map(f -> base.relativize(f.getParent()).toString())
          .filter(p -> !p.startsWith(".hoodie"))
          .sorted()
          .collect(Collectors.toList());
    }
  }
}
