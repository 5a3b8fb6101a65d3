/**
 * The SQL face: {@code 'connector'='hudi-lite'} in a {@code CREATE TABLE}. Here the strings of the
 * {@code WITH} clause become typed settings, once and with all complaints, and the DDL is compared
 * with the table that is there; below this package nobody sees an option key. The planner's
 * abilities (projection, partition pruning, meta columns, change streams) are answered by {@link
 * io.hudilite.sql.HudiDynamicSource} and {@link io.hudilite.sql.HudiDynamicSink}.
 */
package io.hudilite.sql;
