package io.hudilite.e2e.oracle;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A scenario for real Hudi, made by a seed: the type of the table, the rule of its merging, and
 * some steps that write, delete, compact, cluster, clean, overwrite, or add a column.
 */
final class RandomHistory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String COLUMNS = "id INT, name STRING, amount DECIMAL(10,2), ts BIGINT";
  private static final int KEYS = 9;
  private static final int PARTITIONS = 3;

  private final long seed;
  private final Random random;
  private final String hudiVersion;

  /** Of the table; empty for the one that this Hudi writes by itself: 8 or 9. */
  private final String tableVersion;

  private final boolean mergesOnRead;
  private final boolean isOrdered;
  private final Set<Integer> deleted = new HashSet<>();
  private boolean hasNote;
  private boolean isCleaned;

  RandomHistory(long seed, String hudiVersion) {
    this.seed = seed;
    this.random = new Random(seed * 7919 + 17);
    this.hudiVersion = hudiVersion;
    this.tableVersion =
        switch (hudiVersion) {
          case "1.1.1" -> List.of("", "6", "8").get((int) (seed / 4 % 3));
          default -> ""; // procedures of Hudi 1.0.2 refuse version 6, 1.2.0 is much like 1.1.1
        };
    this.mergesOnRead = random.nextInt(4) > 0;
    this.isOrdered = random.nextBoolean();
  }

  boolean mergesOnRead() {
    return mergesOnRead;
  }

  /** Whether this Hudi counts the begin of a range of changes to the range, as we do. */
  boolean beginsWithTheBegin() {
    return hudiVersion.equals("1.0.2");
  }

  /** Whether files were deleted that older changes were in; known after {@link #scenario()}. */
  boolean isCleaned() {
    return isCleaned;
  }

  String scenario() {
    ObjectNode scenario = JSON.createObjectNode();
    scenario.put("table", "history" + seed);
    scenario.put("schema", schema());
    ObjectNode options = scenario.putObject("options");
    options.put(
        "hoodie.datasource.write.table.type", mergesOnRead ? "MERGE_ON_READ" : "COPY_ON_WRITE");
    options.put("hoodie.datasource.write.recordkey.field", "id");
    options.put("hoodie.datasource.write.partitionpath.field", "dt");
    options.put("hoodie.datasource.write.precombine.field", "ts");
    options.put("hoodie.datasource.write.hive_style_partitioning", "true");
    options.put(
        "hoodie.write.record.merge.mode",
        isOrdered ? "EVENT_TIME_ORDERING" : "COMMIT_TIME_ORDERING");
    if (!tableVersion.isEmpty()) {
      options.put("hoodie.write.table.version", tableVersion);
    }
    if (tableVersion.equals("6")) { // knows no merge modes
      options.put(
          "hoodie.datasource.write.payload.class",
          "org.apache.hudi.common.model."
              + (isOrdered ? "DefaultHoodieRecordPayload" : "OverwriteWithLatestAvroPayload"));
    }
    options.put("hoodie.compact.inline", "false");
    options.put("hoodie.datasource.write.reconcile.schema", "false");
    ArrayNode steps = scenario.putArray("steps");
    write(steps, random.nextInt(3) == 0 ? "bulk_insert" : "upsert");
    for (int i = 2 + random.nextInt(4); i > 0; i--) {
      step(steps);
    }
    return scenario.toString();
  }

  private void step(ArrayNode steps) {
    int die = random.nextInt(100);
    if (die < 45) {
      write(steps, "upsert");
    } else if (die < 60) {
      write(steps, "delete");
    } else if (die < 68) {
      hasNote = true;
      write(steps, "upsert");
    } else if (die < 74) {
      write(steps, "insert_overwrite");
    } else if (die < 84) {
      call(steps, "CALL run_clustering(table => '${table}')");
    } else if (die < 88) {
      isCleaned = true;
      steps.addObject().put("do", "clean");
    } else if (mergesOnRead) {
      call(steps, "CALL run_compaction(op => 'scheduleAndExecute', table => '${table}')");
    } else {
      write(steps, "upsert");
    }
  }

  /** Other than the oracle's own steps these may find nothing to do. */
  private static void call(ArrayNode steps, String sql) {
    steps.addObject().put("do", "sql").put("sql", sql);
  }

  private void write(ArrayNode steps, String operation) {
    ObjectNode step = steps.addObject();
    step.put("do", operation);
    step.put("schema", schema());
    ArrayNode rows = step.putArray("rows");
    Set<Integer> ids = new HashSet<>();
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      int id = random.nextInt(KEYS);
      // Hudi 1.0.2 fails to compare a delete in a log file with a row that comes after it.
      boolean cannotComeBack =
          mergesOnRead && isOrdered && hudiVersion.equals("1.0.2") && deleted.contains(id);
      if (cannotComeBack || !ids.add(id)) {
        continue;
      }
      if (operation.equals("delete")) {
        deleted.add(id);
      }
      row(rows.addArray(), id);
    }
    if (rows.isEmpty()) {
      row(rows.addArray(), KEYS + steps.size()); // a key of its own
    }
  }

  private void row(ArrayNode row, int id) {
    row.add(id);
    if (random.nextInt(6) == 0) {
      row.addNull();
    } else {
      row.add("n" + random.nextInt(1000));
    }
    row.add((random.nextInt(2000) - 1000) + ".25");
    row.add(1 + random.nextInt(20));
    if (hasNote) {
      if (random.nextBoolean()) {
        row.addNull();
      } else {
        row.add("note" + random.nextInt(10));
      }
    }
    row.add("p" + id % PARTITIONS);
  }

  private String schema() {
    return COLUMNS + (hasNote ? ", note STRING" : "") + ", dt STRING";
  }

  @Override
  public String toString() {
    return "history %d of Hudi %s: %s"
        .formatted(seed, hudiVersion, new RandomHistory(seed, hudiVersion).scenario());
  }
}
