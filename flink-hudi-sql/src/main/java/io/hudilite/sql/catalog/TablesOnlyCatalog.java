package io.hudilite.sql.catalog;

import io.hudilite.core.config.HudiTableException;
import java.util.List;
import org.apache.flink.table.catalog.AbstractCatalog;
import org.apache.flink.table.catalog.CatalogFunction;
import org.apache.flink.table.catalog.CatalogPartition;
import org.apache.flink.table.catalog.CatalogPartitionSpec;
import org.apache.flink.table.catalog.ObjectPath;
import org.apache.flink.table.catalog.exceptions.DatabaseNotExistException;
import org.apache.flink.table.catalog.exceptions.FunctionNotExistException;
import org.apache.flink.table.catalog.stats.CatalogColumnStatistics;
import org.apache.flink.table.catalog.stats.CatalogTableStatistics;

/**
 * What a catalog of tables has none of: views, functions, partitions without rows, and statistics
 * that somebody writes down. Each refusal says what to use instead.
 */
abstract class TablesOnlyCatalog extends AbstractCatalog {

  TablesOnlyCatalog(String name, String defaultDatabase) {
    super(name, defaultDatabase);
  }

  abstract void requireDatabase(String database) throws DatabaseNotExistException;

  final HudiTableException refusal(String what, String wayOut) {
    return new HudiTableException(
        "Catalog %s keeps tables of Hudi in folders: %s. %s".formatted(getName(), what, wayOut));
  }

  @Override
  public List<String> listViews(String database) throws DatabaseNotExistException {
    requireDatabase(database);
    return List.of();
  }

  @Override
  public List<String> listFunctions(String database) throws DatabaseNotExistException {
    requireDatabase(database);
    return List.of();
  }

  @Override
  public CatalogFunction getFunction(ObjectPath function) throws FunctionNotExistException {
    throw new FunctionNotExistException(getName(), function);
  }

  @Override
  public boolean functionExists(ObjectPath function) {
    return false;
  }

  private HudiTableException noFunctions(ObjectPath function) {
    return refusal(
        "function %s has no place in it".formatted(function),
        "Use CREATE TEMPORARY FUNCTION, or a catalog that keeps functions, such as"
            + " default_catalog.");
  }

  @Override
  public void createFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfExists) {
    throw noFunctions(path);
  }

  @Override
  public void alterFunction(ObjectPath path, CatalogFunction function, boolean ignoreIfNotExists) {
    throw noFunctions(path);
  }

  @Override
  public void dropFunction(ObjectPath path, boolean ignoreIfNotExists)
      throws FunctionNotExistException {
    if (!ignoreIfNotExists) {
      throw new FunctionNotExistException(getName(), path);
    }
  }

  private HudiTableException noPartitions(
      String verb, ObjectPath table, CatalogPartitionSpec spec) {
    return refusal(
        "partition %s of %s cannot be %s by itself".formatted(spec, table, verb),
        "A partition is there when it has rows: INSERT INTO it makes it; INSERT OVERWRITE …"
            + " PARTITION (…) SELECT … WHERE FALSE, or DELETE, empties it.");
  }

  @Override
  public void createPartition(
      ObjectPath table,
      CatalogPartitionSpec spec,
      CatalogPartition partition,
      boolean ignoreIfExists) {
    throw noPartitions("made", table, spec);
  }

  @Override
  public void dropPartition(
      ObjectPath table, CatalogPartitionSpec spec, boolean ignoreIfNotExists) {
    throw noPartitions("dropped", table, spec);
  }

  @Override
  public void alterPartition(
      ObjectPath table,
      CatalogPartitionSpec spec,
      CatalogPartition partition,
      boolean ignoreIfNotExists) {
    throw noPartitions("altered", table, spec);
  }

  /** The planner asks the source of the table instead. */
  @Override
  public CatalogTableStatistics getTableStatistics(ObjectPath table) {
    return CatalogTableStatistics.UNKNOWN;
  }

  @Override
  public CatalogColumnStatistics getTableColumnStatistics(ObjectPath table) {
    return CatalogColumnStatistics.UNKNOWN;
  }

  @Override
  public CatalogTableStatistics getPartitionStatistics(
      ObjectPath table, CatalogPartitionSpec spec) {
    return CatalogTableStatistics.UNKNOWN;
  }

  @Override
  public CatalogColumnStatistics getPartitionColumnStatistics(
      ObjectPath table, CatalogPartitionSpec spec) {
    return CatalogColumnStatistics.UNKNOWN;
  }

  private HudiTableException noStatistics(ObjectPath table) {
    return refusal(
        "statistics of %s cannot be stored".formatted(table),
        "They come from the footers of the table's files; ANALYZE TABLE is not needed.");
  }

  @Override
  public void alterTableStatistics(
      ObjectPath table, CatalogTableStatistics statistics, boolean ignoreIfNotExists) {
    throw noStatistics(table);
  }

  @Override
  public void alterTableColumnStatistics(
      ObjectPath table, CatalogColumnStatistics statistics, boolean ignoreIfNotExists) {
    throw noStatistics(table);
  }

  @Override
  public void alterPartitionStatistics(
      ObjectPath table,
      CatalogPartitionSpec spec,
      CatalogTableStatistics statistics,
      boolean ignoreIfNotExists) {
    throw noStatistics(table);
  }

  @Override
  public void alterPartitionColumnStatistics(
      ObjectPath table,
      CatalogPartitionSpec spec,
      CatalogColumnStatistics statistics,
      boolean ignoreIfNotExists) {
    throw noStatistics(table);
  }
}
