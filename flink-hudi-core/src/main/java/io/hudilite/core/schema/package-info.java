/**
 * The columns of a table: {@link io.hudilite.core.schema.TableSchema} names them and their roles,
 * {@link io.hudilite.core.schema.MetaColumns} those that Hudi adds. {@link
 * io.hudilite.core.schema.AvroSchemas} turns Flink's row types into the Avro schemas that stand in
 * commits, log blocks and base files, and back. Types that the format has no place for are refused
 * here, with advice.
 */
package io.hudilite.core.schema;
