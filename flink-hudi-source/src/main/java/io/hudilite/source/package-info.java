/**
 * Reading a table in a Flink job, bounded or continuously: {@link io.hudilite.source.HudiSource} is
 * the whole face. The enumerator asks the table for splits, the readers ask the enumerator for
 * them, and each split is the merged rows of one file group.
 *
 * <pre>
 * table --plan--> monitor (coordinator) --splits--> read (tasks) --rows--> job
 *                    ^----------- requests, finished splits --+
 * </pre>
 *
 * The packages below depend on each other in the order config, split, monitor, read.
 */
package io.hudilite.source;
