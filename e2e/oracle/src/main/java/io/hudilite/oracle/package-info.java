/**
 * Real Apache Hudi on local Spark, as a command line. It reads, writes and checks tables, so that
 * the tables of hudi-lite have a judge that is not hudi-lite. Nothing of the connector is used or
 * known here, and only the {@code hudi-oracle} script starts it.
 */
package io.hudilite.oracle;
