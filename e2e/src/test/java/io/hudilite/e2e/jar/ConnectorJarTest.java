package io.hudilite.e2e.jar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar that users put into Flink's lib folder; it is there after the package phase. */
class ConnectorJarTest {
  private static final long MEBIBYTE = 1024 * 1024;
  private static final Path JAR = Path.of(System.getProperty("connector.jar")).normalize();

  private static List<String> entries;

  @BeforeAll
  static void list() throws IOException {
    assumeTrue(Files.exists(JAR), "no jar yet: run the package phase before");
    try (JarFile jar = new JarFile(JAR.toFile())) {
      entries = jar.stream().filter(entry -> !entry.isDirectory()).map(JarEntry::getName).toList();
    }
  }

  @Test
  void holdsOnlyOurPackageAndServices() {
    assertThat(entries)
        .allMatch(entry -> entry.startsWith("io/hudilite/") || entry.startsWith("META-INF/"));
    assertThat(entries.stream().filter(entry -> entry.startsWith("META-INF/")))
        .allMatch(
            entry ->
                entry.equals("META-INF/MANIFEST.MF")
                    || entry.equals("META-INF/LICENSE")
                    || entry.equals("META-INF/NOTICE")
                    || entry.startsWith("META-INF/services/"));
    assertThat(entries).noneMatch(entry -> entry.endsWith("module-info.class"));
    assertThat(new HashSet<>(entries)).hasSameSizeAs(entries);
  }

  @Test
  void holdsNothingOfFlink() {
    assertThat(entries).noneMatch(entry -> entry.contains("org/apache/flink/"));
    assertThat(entries).contains("META-INF/services/org.apache.flink.table.factories.Factory");
  }

  @Test
  void staysSmall() throws IOException {
    assertThat(Files.size(JAR)).isLessThan(40 * MEBIBYTE);
  }

  /** With no other class of ours, Parquet's or Avro's on the class path. */
  @Test
  void writesAndReadsATableAlone(@TempDir Path folder) throws Exception {
    Path output = folder.resolve("output.txt");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(addOpens());
    command.addAll(List.of("-Xmx768m", "-cp", classPath(), JarProbe.class.getName()));
    command.add(folder.resolve("t").toUri().toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(180, TimeUnit.SECONDS)).as("ends in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(Files.readString(output)).contains("READ a,3,2024-04-18", "READ b,2,2024-04-19");
    assertThat(process.exitValue()).isZero();
  }

  private static String classPath() {
    Set<String> bundled =
        Set.of(
            "/io/hudilite/", "/parquet", "/avro", "/jackson", "/aircompressor", "/jts", "/hadoop");
    String flink =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> entry.endsWith(".jar"))
            .filter(
                entry ->
                    entry.contains("/org/apache/flink/")
                        || bundled.stream().noneMatch(entry.replace('\\', '/')::contains))
            .filter(entry -> !entry.contains("flink-hudi"))
            .collect(Collectors.joining(File.pathSeparator));
    Path probe =
        Path.of(JarProbe.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    return String.join(File.pathSeparator, JAR.toString(), probe.toString(), flink);
  }

  private static List<String> addOpens() {
    return List.of("java.lang", "java.util", "java.util.concurrent", "java.nio", "java.time")
        .stream()
        .map(name -> "--add-opens=java.base/" + name + "=ALL-UNNAMED")
        .toList();
  }
}
