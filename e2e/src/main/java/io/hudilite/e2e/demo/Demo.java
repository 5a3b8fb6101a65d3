package io.hudilite.e2e.demo;

import io.hudilite.e2e.kafka.KafkaBroker;
import io.hudilite.e2e.kafka.OrderProducer;
import io.hudilite.e2e.orders.Order;
import io.hudilite.e2e.orders.OrderStatus;
import io.hudilite.e2e.orders.OrderStream;
import io.hudilite.e2e.orders.StatusTotals;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;

/**
 * Orders change in a shop; Debezium would tell of it in Kafka; Flink writes it into a Hudi table
 * and follows the table with a query; in the end the table, the query and the shop's own books must
 * agree.
 *
 * <pre>
 * OrderStream ──► KafkaBroker ──► INSERT INTO orders ──► table ──► SELECT … GROUP BY status ──► Screen
 *      └──────────────────────── the books: what must be there ───────────────────────────────────┘
 * </pre>
 */
public final class Demo {
  private static final long SEED = 42;
  private static final Duration CHECKPOINT_INTERVAL = Duration.ofSeconds(3);
  private static final Duration FIRST_COMMIT_LIMIT = Duration.ofSeconds(180);
  private static final Duration CATCH_UP_LIMIT = Duration.ofSeconds(180);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final Duration TICK = Duration.ofSeconds(1);

  private final DemoOptions options;
  private final Screen screen;
  private final OrderStream shop;
  private final DemoFolders folders;

  private Demo(DemoOptions options, Screen screen, DemoFolders folders) {
    this.options = options;
    this.screen = screen;
    this.folders = folders;
    this.shop = new OrderStream(SEED, options.rows());
  }

  /** Runs the demo and ends the process with the exit code that {@link DemoOptions#USAGE} tells. */
  public static void main(String[] args) {
    int code = run(args, new Screen(System.out));
    System.out.flush();
    // Kafka and Flink leave threads that would keep the process alive for a while.
    System.exit(code);
  }

  private static int run(String[] args, Screen screen) {
    Optional<DemoOptions> options;
    try {
      options = DemoOptions.parse(args);
    } catch (DemoOptions.Misuse e) {
      System.err.println("demo: " + e.getMessage());
      System.err.print(DemoOptions.USAGE);
      return 2;
    }
    if (options.isEmpty()) {
      System.out.print(DemoOptions.USAGE);
      return 0;
    }
    try (DemoFolders folders = DemoFolders.prepare(options.get())) {
      return new Demo(options.get(), screen, folders).run() ? 0 : 1;
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      screen.error(e);
      return 1;
    }
  }

  private boolean run() throws Exception {
    screen.title("hudi-lite: from a Kafka change stream into a Hudi table, and out again");
    screen.line("%,d changes of orders, table in %s".formatted(options.rows(), folders.table()));

    screen.section("Start");
    screen.begin("Kafka, one real broker in this process");
    try (KafkaBroker kafka = KafkaBroker.start(folders.kafka())) {
      kafka.createTopic(DemoSql.TOPIC, 2);
      screen.done(kafka.bootstrapServers());
      screen.begin("Flink, a small cluster in this process");
      try (LocalFlink flink = LocalFlink.start(folders.checkpoints())) {
        screen.done(flink.rest().toString());
        boolean followed = writeAndFollow(kafka, flink);
        boolean stored = readBack(flink);
        return verdict(followed, stored);
      }
    }
  }

  /** Returns whether the query on the growing table came to the shop's own totals. */
  private boolean writeAndFollow(KafkaBroker kafka, LocalFlink flink) throws Exception {
    screen.section(
        "Write: each checkpoint (every %d s) is one commit"
            .formatted(CHECKPOINT_INTERVAL.toSeconds()));
    StreamTableEnvironment tables = flink.streaming(CHECKPOINT_INTERVAL);
    execute(tables, DemoSql.createKafkaOrders(kafka.bootstrapServers()));
    execute(tables, DemoSql.createOrders(folders.table()));
    JobClient writing = execute(tables, DemoSql.INSERT).getJobClient().orElseThrow();

    ExecutorService sending =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, "shop");
              thread.setDaemon(true);
              return thread;
            });
    try (OrderProducer producer = new OrderProducer(kafka.bootstrapServers(), DemoSql.TOPIC)) {
      Future<?> sent =
          sending.submit(
              () -> {
                producer.send(shop, options.ratePerSecond());
                return null;
              });
      awaitFirstCommit(writing);
      screen.section("Follow: a query on the table while it grows");
      // Changes are folded for a moment before the aggregate tells of them: the screen needs no
      // more.
      tables.getConfig().set("table.exec.mini-batch.enabled", "true");
      tables.getConfig().set("table.exec.mini-batch.allow-latency", "500 ms");
      tables.getConfig().set("table.exec.mini-batch.size", "5000");
      TableResult query = execute(tables, DemoSql.FOLLOW);
      boolean equal;
      try (StatusBoard board = StatusBoard.follow(query)) {
        screen.line("");
        equal = show(board, writing, producer, sent);
      }
      screen.begin("Stopping the writing job with a savepoint");
      writing
          .stopWithSavepoint(
              false, folders.savepoints().toUri().toString(), SavepointFormatType.CANONICAL)
          .get(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS);
      screen.done("done");
      return equal;
    } finally {
      sending.shutdownNow();
    }
  }

  private TableResult execute(StreamTableEnvironment tables, String statement) {
    screen.sql(statement + ";");
    return tables.executeSql(statement);
  }

  private void awaitFirstCommit(JobClient writing) throws Exception {
    screen.line("");
    screen.begin("Waiting for the first commit");
    long end = System.nanoTime() + FIRST_COMMIT_LIMIT.toNanos();
    while (!folders.hasCommit()) {
      requireRunning(writing);
      if (System.nanoTime() > end) {
        screen.done("none");
        throw new IOException(
            "The writing job made no commit within %d s".formatted(FIRST_COMMIT_LIMIT.toSeconds()));
      }
      TimeUnit.MILLISECONDS.sleep(200);
    }
    screen.done("%.1f s after the start".formatted(screen.seconds()));
  }

  /** Shows the query's result whenever it has changed, until it is what it must be. */
  private boolean show(StatusBoard board, JobClient writing, OrderProducer producer, Future<?> sent)
      throws Exception {
    long shown = 0;
    long end = Long.MAX_VALUE;
    while (true) {
      boolean allSent = sent.isDone();
      boolean equal = false;
      if (allSent) {
        sent.get(); // throws what went wrong
        if (end == Long.MAX_VALUE) {
          end = System.nanoTime() + CATCH_UP_LIMIT.toNanos();
        }
        equal = board.awaitTotals(shop.totals(), TICK);
      } else {
        tick(sent);
      }
      if (board.changeCount() != shown) {
        shown = board.changeCount();
        screen.totals(producer.sent(), board.totals());
      }
      if (equal || System.nanoTime() > end) {
        return equal;
      }
      board.requireAlive();
      requireRunning(writing);
    }
  }

  private static void tick(Future<?> sent) throws Exception {
    try {
      sent.get(TICK.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      // Still sending, which is what a tick is for.
    }
  }

  private static void requireRunning(JobClient job) throws Exception {
    if (job.getJobStatus().get().isTerminalState()) {
      job.getJobExecutionResult().get(); // throws what went wrong
      throw new IOException("The writing job ended by itself");
    }
  }

  /** Returns whether a batch read finds the orders that the shop has. */
  private boolean readBack(LocalFlink flink) throws Exception {
    TableReport report = new TableReport(screen, folders.table());
    screen.section("The timeline");
    report.timeline();
    screen.section("The files");
    report.files();
    screen.section("The rows, by a batch query");
    StreamTableEnvironment tables = flink.batch();
    tables.executeSql(DemoSql.createOrders(folders.table()));
    List<Order> found = TableReport.orders(execute(tables, DemoSql.SNAPSHOT));
    screen.line("");
    report.rows(found);
    List<Order> expected = shop.orders();
    if (found.equals(expected)) {
      return true;
    }
    report.differences(expected, found);
    return false;
  }

  private boolean verdict(boolean followed, boolean stored) {
    screen.section("The verdict");
    Map<OrderStatus, StatusTotals> totals = shop.totals();
    long orders = totals.values().stream().mapToLong(StatusTotals::orders).sum();
    screen.line(
        "%s  the query that followed the table: %,d orders in %d statuses"
            .formatted(followed ? "EQUAL    " : "DIFFERENT", orders, totals.size()));
    screen.line(
        "%s  the table, row by row: %,d orders"
            .formatted(stored ? "EQUAL    " : "DIFFERENT", orders));
    if (!followed) {
      screen.line("The query should have come to this:");
      screen.totals(options.rows(), totals);
    }
    screen.line(
        folders.isKept()
            ? "The table is in " + folders.table()
            : "The table is removed now; --keep or --path DIR leave it there.");
    screen.line("Done in %.0f s.".formatted(screen.seconds()));
    return followed && stored;
  }
}
