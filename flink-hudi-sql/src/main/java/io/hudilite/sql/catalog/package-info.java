/**
 * The catalog: databases and tables as folders below one path, and what can be done with them by
 * {@code CALL}. A table in it is the same folder as one that is declared with a {@code path}; what
 * its {@code WITH} clause said is kept beside its properties, where Hudi's own catalog keeps it.
 * {@link io.hudilite.sql.catalog.HudiCatalog} only translates between Flink and {@link
 * io.hudilite.sql.catalog.CatalogFolders}.
 */
package io.hudilite.sql.catalog;
