/**
 * Tests in which real Apache Hudi on Spark judges the tables that the connector wrote, in the
 * profile {@code oracle}. Flink jobs write, the {@code hudi-oracle} of {@code e2e/oracle} reads,
 * checks and writes in turn; and it writes tables with histories made by seeds, which we read. What
 * both say must be equal.
 */
package io.hudilite.e2e.oracle;
