package io.hudilite.sql.catalog;

import static java.util.Objects.requireNonNull;

import io.hudilite.core.config.HudiTableException;
import io.hudilite.core.lease.LeaseHolder;
import io.hudilite.core.lease.WriterLease;
import io.hudilite.core.schema.ColumnChanges;
import io.hudilite.core.storage.Storage;
import io.hudilite.core.table.HudiTable;
import io.hudilite.core.table.StoredOptions;
import io.hudilite.sink.HudiSchemaChange;
import io.hudilite.sql.ReadOptions;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.table.catalog.CatalogBaseTable;
import org.apache.flink.table.catalog.CatalogDatabase;
import org.apache.flink.table.catalog.CatalogDatabaseImpl;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionImpl;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.exceptions.CatalogException;
import org.apache.flink.table.catalog.exceptions.DatabaseAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotEmptyException;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.PartitionNotExistException;
import org.apache.flink.table.catalog.exceptions.ProcedureNotExistException;
import org.apache.flink.table.catalog.exceptions.TableAlreadyExistException;
import org.apache.flink.table.catalog.exceptions.TableNotExistException;
import org.apache.flink.table.catalog.exceptions.TableNotPartitionedException;
import org.apache.flink.table.expressions.Expression;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.procedures.Procedure;
import org.apache.flink.table.types.logical.RowType;

/**
 * Databases and tables below one path. Nothing is cached: what another process does is seen by the
 * next statement. Safe for several threads.
 */
public final class HudiCatalog extends TablesOnlyCatalog {
  /** Holds the procedures, and no tables. */
  static final String SYSTEM_DATABASE = "sys";

  private final CatalogFolders folders;
  private final CatalogTableFactory factory;
  private final Procedures procedures;

  /**
   * @param path of the folder that holds the databases
   */
  public HudiCatalog(String name, String defaultDatabase, String path) {
    super(name, defaultDatabase);
    requireNonNull(path, "path");
    CatalogFolders.requireName("default database", defaultDatabase);
    this.folders = open(name, path);
    this.factory = new CatalogTableFactory(folders);
    this.procedures = new Procedures(name, defaultDatabase, folders);
  }

  private static CatalogFolders open(String name, String path) {
    try {
      return new CatalogFolders(path);
    } catch (IllegalArgumentException | java.io.UncheckedIOException e) {
      throw new HudiTableException(
          "Catalog %s: 'catalog.path'='%s' cannot be used: %s. Use a local path, or a URI such as s3://bucket/folder, and put the plugin of its file system into Flink's plugins folder."
              .formatted(name, path, e.getMessage()),
          e);
    }
  }

  /** An access to the storage. */
  @FunctionalInterface
  private interface Access<T> {
    T run() throws IOException;
  }

  private <T> T access(String what, Access<T> access) {
    try {
      return access.run();
    } catch (IOException | java.io.UncheckedIOException e) {
      throw new CatalogException(
          "Catalog %s could not %s: %s. Check the path '%s', and the credentials and plugin of its file system; then try again."
              .formatted(getName(), what, e, folders),
          e);
    }
  }

  @Override
  public void open() {
    access(
        "be opened",
        () -> {
          folders.requireReadable();
          return null;
        });
  }

  @Override
  public void close() {}

  @Override
  public Optional<Factory> getFactory() {
    return Optional.of(factory);
  }

  /** Those of {@code sys}; {@code CALL sys.compact(…)}. */
  @Override
  public List<String> listProcedures(String database) throws DatabaseNotExistException {
    if (database.equals(SYSTEM_DATABASE)) {
      return Procedures.names();
    }
    requireDatabase(database);
    return List.of();
  }

  @Override
  public Procedure getProcedure(ObjectPath procedure) throws ProcedureNotExistException {
    if (procedure.getDatabaseName().equals(SYSTEM_DATABASE)) {
      Optional<TableProcedure> found = procedures.find(procedure.getObjectName());
      if (found.isPresent()) {
        return found.get();
      }
    }
    throw new ProcedureNotExistException(
        getName(),
        procedure,
        refusal(
            "%s is none of its procedures".formatted(procedure),
            "They are those of sys: %s.".formatted(Procedures.names())));
  }

  @Override
  public List<String> listDatabases() {
    return access(
        "list its databases",
        () -> {
          List<String> names = new java.util.ArrayList<>(folders.databases());
          if (!names.contains(getDefaultDatabase())) {
            names.add(0, getDefaultDatabase());
          }
          return names;
        });
  }

  @Override
  public boolean databaseExists(String database) {
    return database.equals(getDefaultDatabase())
        || access("look for database " + database, () -> folders.databaseExists(database));
  }

  @Override
  void requireDatabase(String database) throws DatabaseNotExistException {
    if (!databaseExists(database)) {
      throw new DatabaseNotExistException(getName(), database);
    }
  }

  @Override
  public CatalogDatabase getDatabase(String database) throws DatabaseNotExistException {
    requireDatabase(database);
    CatalogFolders.Database found =
        access("read database " + database, () -> folders.database(database));
    return new CatalogDatabaseImpl(found.properties(), found.comment().orElse(null));
  }

  @Override
  public void createDatabase(String name, CatalogDatabase database, boolean ignoreIfExists)
      throws DatabaseAlreadyExistException {
    CatalogFolders.requireName("database", name);
    if (name.equals(SYSTEM_DATABASE)) {
      throw refusal("'sys' is the name under which its procedures are called", "Use another name.");
    }
    if (databaseExists(name)) {
      if (!ignoreIfExists) {
        throw new DatabaseAlreadyExistException(getName(), name);
      }
      return;
    }
    save(name, database);
  }

  private void save(String name, CatalogDatabase database) {
    access(
        "store database " + name,
        () -> {
          folders.saveDatabase(
              name,
              new CatalogFolders.Database(
                  Optional.ofNullable(database.getComment()), database.getProperties()));
          return null;
        });
  }

  @Override
  public void alterDatabase(String name, CatalogDatabase database, boolean ignoreIfNotExists)
      throws DatabaseNotExistException {
    if (databaseExists(name)) {
      save(name, database);
    } else if (!ignoreIfNotExists) {
      throw new DatabaseNotExistException(getName(), name);
    }
  }

  @Override
  public void dropDatabase(String name, boolean ignoreIfNotExists, boolean cascade)
      throws DatabaseNotExistException, DatabaseNotEmptyException {
    if (!databaseExists(name)) {
      if (!ignoreIfNotExists) {
        throw new DatabaseNotExistException(getName(), name);
      }
      return;
    }
    if (name.equals(getDefaultDatabase())) {
      throw refusal(
          "database %s is its default one, and always there".formatted(name), "DROP its tables.");
    }
    List<String> tables = listTables(name);
    if (!tables.isEmpty() && !cascade) {
      throw new DatabaseNotEmptyException(getName(), name);
    }
    tables.forEach(table -> requireNoWriter(new ObjectPath(name, table), "drop"));
    access(
        "drop database " + name,
        () -> {
          for (String table : tables) {
            folders.dropTable(new ObjectPath(name, table));
          }
          folders.dropDatabase(name);
          return null;
        });
  }

  @Override
  public List<String> listTables(String database) throws DatabaseNotExistException {
    requireDatabase(database);
    return access("list the tables of " + database, () -> folders.tables(database));
  }

  @Override
  public boolean tableExists(ObjectPath table) {
    return access("look for table " + table, () -> folders.tableExists(table));
  }

  private void requireTable(ObjectPath table) throws TableNotExistException {
    if (!tableExists(table)) {
      throw new TableNotExistException(getName(), table);
    }
  }

  /** It would go on in a folder that is gone. Readers fail, and say so. */
  private void requireNoWriter(ObjectPath table, String what) {
    Optional<LeaseHolder> writer =
        access(
            "look who writes table " + table,
            () -> {
              try {
                return WriterLease.alive(
                    folders.tableStorage(table), System::nanoTime, Thread::sleep);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("Interrupted");
              }
            });
    if (writer.isPresent()) {
      throw refusal(
          "cannot %s table %s: it is being written by %s"
              .formatted(what, table, writer.get().toText()),
          "Stop that job first.");
    }
  }

  private HudiTable open(ObjectPath table) {
    return access("open table " + table, () -> HudiTable.open(folders.tableStorage(table)));
  }

  @Override
  public CatalogTable getTable(ObjectPath table) throws TableNotExistException {
    requireTable(table);
    return access(
        "read table " + table,
        () -> {
          Storage storage = folders.tableStorage(table);
          return TableTranslation.toFlink(HudiTable.open(storage), StoredOptions.load(storage));
        });
  }

  /** The table as it was at a moment, in {@code FOR SYSTEM_TIME AS OF}. */
  @Override
  public CatalogTable getTable(ObjectPath table, long timestampMillis)
      throws TableNotExistException {
    CatalogTable now = getTable(table);
    Map<String, String> options = new HashMap<>(now.getOptions());
    options.remove(ReadOptions.READ_START_COMMIT.key());
    options.remove(ReadOptions.READ_STREAMING_ENABLED.key());
    options.put(
        ReadOptions.READ_END_COMMIT.key(), Instant.ofEpochMilli(timestampMillis).toString());
    return CatalogTable.newBuilder()
        .schema(now.getUnresolvedSchema())
        .comment(now.getComment())
        .partitionKeys(now.getPartitionKeys())
        .options(options)
        .snapshot(timestampMillis)
        .build();
  }

  @Override
  public void createTable(ObjectPath table, CatalogBaseTable declared, boolean ignoreIfExists)
      throws TableAlreadyExistException, DatabaseNotExistException {
    requireDatabase(table.getDatabaseName());
    if (tableExists(table)) {
      if (!ignoreIfExists) {
        throw new TableAlreadyExistException(getName(), table);
      }
      return;
    }
    ResolvedCatalogTable resolved = requireTableOfOurs(table, declared);
    CatalogFolders.requireName("table", table.getObjectName());
    requireOwnPath(table, resolved);
    var sink = factory.sinkOf(identifier(table), resolved);
    sink.requireKey();
    access(
        "make table " + table,
        () -> {
          if (!folders.databaseExists(table.getDatabaseName())) {
            folders.saveDatabase(
                table.getDatabaseName(), new CatalogFolders.Database(Optional.empty(), Map.of()));
          }
          // The properties of the table, which make it one, come last.
          save(table, resolved);
          sink.createTable();
          return null;
        });
  }

  private void save(ObjectPath table, ResolvedCatalogTable declared) throws IOException {
    TableTranslation.toStored(declared)
        .save(
            folders.tableStorage(table),
            TableTranslation.keyColumns(declared),
            declared.getPartitionKeys());
  }

  private ObjectIdentifier identifier(ObjectPath table) {
    return ObjectIdentifier.of(getName(), table.getDatabaseName(), table.getObjectName());
  }

  private ResolvedCatalogTable requireTableOfOurs(ObjectPath table, CatalogBaseTable declared) {
    if (declared.getTableKind() != CatalogBaseTable.TableKind.TABLE
        || !(declared instanceof ResolvedCatalogTable resolved)) {
      throw refusal(
          "%s is a %s".formatted(table, declared.getTableKind()),
          "Use CREATE TEMPORARY VIEW, or a catalog that keeps such objects, such as"
              + " default_catalog.");
    }
    String connector = resolved.getOptions().getOrDefault("connector", "hudi-lite");
    if (!List.of("hudi-lite", "hudi").contains(connector)) {
      throw refusal(
          "table %s has 'connector'='%s'".formatted(table, connector),
          "Use CREATE TEMPORARY TABLE, or a catalog for tables of any kind: CREATE TABLE default_catalog.default_database.%s (…)."
              .formatted(table.getObjectName()));
    }
    return resolved;
  }

  private void requireOwnPath(ObjectPath table, ResolvedCatalogTable declared) {
    String path = declared.getOptions().get("path");
    if (path != null && !folders.isPathOf(table, path)) {
      throw refusal(
          "table %s is at '%s', and so cannot have 'path'='%s'"
              .formatted(table, folders.pathOf(table), path),
          "Leave 'path' out, or declare the table in another catalog, such as default_catalog, with"
              + " 'connector'='hudi-lite'.");
    }
  }

  @Override
  public void dropTable(ObjectPath table, boolean ignoreIfNotExists) throws TableNotExistException {
    if (tableExists(table)) {
      requireNoWriter(table, "drop");
      access(
          "drop table " + table,
          () -> {
            folders.dropTable(table);
            return null;
          });
    } else if (!ignoreIfNotExists) {
      throw new TableNotExistException(getName(), table);
    }
  }

  @Override
  public void renameTable(ObjectPath table, String newName, boolean ignoreIfNotExists)
      throws TableNotExistException, TableAlreadyExistException {
    if (!tableExists(table)) {
      if (!ignoreIfNotExists) {
        throw new TableNotExistException(getName(), table);
      }
      return;
    }
    CatalogFolders.requireName("table", newName);
    ObjectPath renamed = new ObjectPath(table.getDatabaseName(), newName);
    if (tableExists(renamed)) {
      throw new TableAlreadyExistException(getName(), renamed);
    }
    requireNoWriter(table, "rename");
    try {
      access(
          "rename table " + table,
          () -> {
            folders.renameTable(table, renamed);
            return null;
          });
    } catch (UnsupportedOperationException e) {
      throw refusal(
          "the storage of '%s' cannot rename folders at once, and readers and writers would meet half a table"
              .formatted(folders),
          "CREATE TABLE %s AS SELECT * FROM %s, and drop the old one.".formatted(newName, table));
    } catch (CatalogException e) {
      if (e.getCause() instanceof FileAlreadyExistsException) {
        throw refusal(
            "there is a folder '%s' that is no table".formatted(folders.pathOf(renamed)),
            "Move it away, or use another name.");
      }
      throw e;
    }
  }

  @Override
  public void alterTable(ObjectPath table, CatalogBaseTable altered, boolean ignoreIfNotExists)
      throws TableNotExistException {
    if (!tableExists(table)) {
      if (!ignoreIfNotExists) {
        throw new TableNotExistException(getName(), table);
      }
      return;
    }
    ResolvedCatalogTable resolved = requireTableOfOurs(table, altered);
    requireOwnPath(table, resolved);
    HudiTable stored = open(table);
    access(
        "alter table " + table,
        () -> {
          RowType columns = TableAlteration.check(stored, resolved, table);
          factory.sinkOf(identifier(table), resolved); // complains of options that do not fit
          if (!new ColumnChanges(stored.schema().rowType(), columns).isNone()) {
            HudiSchemaChange.run(folders.pathOf(table), columns);
          }
          save(table, resolved);
          return null;
        });
  }

  @Override
  public List<CatalogPartitionSpec> listPartitions(ObjectPath table)
      throws TableNotExistException, TableNotPartitionedException {
    return listPartitions(table, new CatalogPartitionSpec(Map.of()));
  }

  @Override
  public List<CatalogPartitionSpec> listPartitions(ObjectPath table, CatalogPartitionSpec spec)
      throws TableNotExistException, TableNotPartitionedException {
    requireTable(table);
    HudiTable stored = open(table);
    if (stored.config().partitionFields().isEmpty()) {
      throw new TableNotPartitionedException(getName(), table);
    }
    Map<String, String> wanted = new HashMap<>(spec.getPartitionSpec());
    return access("list the partitions of " + table, () -> TablePartitions.of(stored)).stream()
        .filter(found -> found.getPartitionSpec().entrySet().containsAll(wanted.entrySet()))
        .toList();
  }

  /** All of them: what a condition on partitions rules out, the source of the table does. */
  @Override
  public List<CatalogPartitionSpec> listPartitionsByFilter(
      ObjectPath table, List<Expression> filters)
      throws TableNotExistException, TableNotPartitionedException {
    throw new UnsupportedOperationException("the source of the table prunes partitions");
  }

  @Override
  public boolean partitionExists(ObjectPath table, CatalogPartitionSpec spec) {
    try {
      return listPartitions(table).contains(spec);
    } catch (TableNotExistException | TableNotPartitionedException e) {
      return false;
    }
  }

  @Override
  public CatalogPartition getPartition(ObjectPath table, CatalogPartitionSpec spec)
      throws PartitionNotExistException {
    if (!partitionExists(table, spec)) {
      throw new PartitionNotExistException(getName(), table, spec);
    }
    return new CatalogPartitionImpl(Map.of(), "");
  }
}
