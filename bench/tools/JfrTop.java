import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingFile;

/**
 * java tools/JfrTop.java FILE.jfr [THREAD-REGEX]: where the execution samples fall. A sample goes
 * to the category of the frame nearest the leaf that matches one, so that encoding called by a
 * merge counts as encoding.
 */
public class JfrTop {
  static final Map<String, String> RULES = new LinkedHashMap<>();

  static {
    RULES.put("generator", "io\\.hudilite\\.bench\\.Gen.*");
    RULES.put(
        "compression codec", ".*(zstd|snappy|Snappy|aircompressor|java\\.util\\.zip|gzip|luben).*");
    RULES.put(
        "parquet write",
        ".*parquet.*(Writer|writer|write|Write|Encod|encod|DictionaryValues|fastutil|Binary\\.(equals|hashCode|compare)|statistics|Statistics|CapacityByteArrayOutputStream|bytes\\.).*");
    RULES.put("parquet read", ".*parquet.*");
    RULES.put("orc", ".*\\.orc\\..*");
    RULES.put("avro", ".*\\.avro\\..*");
    RULES.put("kryo", ".*(kryo|esotericsoftware).*");
    RULES.put("json", ".*(jackson|JsonUtil).*");
    RULES.put("rocksdb", ".*rocksdb.*");
    RULES.put(
        "disk map / spill",
        ".*(BitCaskDiskMap|ExternalSpillableMap|ObjectSizeCalculator|RocksDbDiskMap).*");
    RULES.put(
        "file system",
        ".*(org\\.apache\\.hadoop\\.fs|LocalFileIO|HadoopFileIO|java\\.nio\\.file|sun\\.nio\\.fs|java\\.io\\.(File|Unix|Random)).*");
    RULES.put(
        "flink serialize/copy",
        "org\\.apache\\.flink\\.(table\\.runtime\\.typeutils|api\\.common\\.typeutils|api\\.java\\.typeutils|core\\.memory|table\\.data\\.(writer|binary)|runtime\\.plugable).*");
    RULES.put("flink network", "org\\.apache\\.flink\\.runtime\\.io\\.network.*");
    RULES.put(
        "paimon sort/merge",
        "org\\.apache\\.paimon\\.(mergetree|sort|codegen|data\\.serializer|memory|compact|lookup).*");
    RULES.put("paimon other", "org\\.apache\\.paimon\\..*");
    RULES.put(
        "iceberg deltas",
        "org\\.apache\\.iceberg\\.(io\\.BaseTaskWriter|io\\..*Delta|deletes|util\\.StructLike|io\\.SortedPos|types).*");
    RULES.put("iceberg other", "org\\.apache\\.iceberg\\..*");
    RULES.put(
        "hudi log write/merge",
        "org\\.apache\\.hudi\\.(common\\.table\\.log|io\\.HoodieAppend|common\\.model|common\\.util\\.collection).*");
    RULES.put(
        "hudi sink operators",
        "org\\.apache\\.hudi\\.(sink|util|client|index|configuration|keygen|execution).*");
    RULES.put("hudi other", "org\\.apache\\.hudi\\..*");
    RULES.put("flink other", "org\\.apache\\.flink\\..*");
    RULES.put("class loading / JDK", ".*");
  }

  public static void main(String[] a) throws Exception {
    String threads = a.length > 1 ? a[1] : ".*";
    Map<String, Integer> cat = new HashMap<>();
    Map<String, Integer> top = new HashMap<>();
    int n = 0;
    try (RecordingFile f = new RecordingFile(Path.of(a[0]))) {
      while (f.hasMoreEvents()) {
        RecordedEvent e = f.readEvent();
        if (!e.getEventType().getName().equals("jdk.ExecutionSample")
            || e.getStackTrace() == null) {
          continue;
        }
        if (e.getThread("sampledThread") != null
            && !String.valueOf(e.getThread("sampledThread").getJavaName()).matches(threads)) {
          continue;
        }
        n++;
        String c = null;
        String m = null;
        List<RecordedFrame> fr = e.getStackTrace().getFrames();
        for (RecordedFrame x : fr) {
          String name = x.getMethod().getType().getName() + "." + x.getMethod().getName();
          if (m == null && !name.matches("(java|jdk|sun)\\..*")) {
            m = name;
          }
          if (c == null) {
            for (Map.Entry<String, String> r : RULES.entrySet()) {
              if (!r.getValue().equals(".*") && name.matches(r.getValue())) {
                c = r.getKey();
                break;
              }
            }
          }
        }
        cat.merge(c == null ? "class loading / JDK" : c, 1, Integer::sum);
        top.merge(m == null ? "JDK" : m, 1, Integer::sum);
      }
    }
    System.out.println("samples " + n);
    int total = n;
    cat.entrySet().stream()
        .sorted((x, y) -> y.getValue() - x.getValue())
        .forEach(x -> System.out.printf("%5.1f%%  %s%n", 100.0 * x.getValue() / total, x.getKey()));
    System.out.println();
    top.entrySet().stream()
        .sorted((x, y) -> y.getValue() - x.getValue())
        .limit(25)
        .forEach(x -> System.out.printf("%5.1f%%  %s%n", 100.0 * x.getValue() / total, x.getKey()));
  }
}
