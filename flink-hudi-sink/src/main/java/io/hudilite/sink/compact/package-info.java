/**
 * Compaction by Flink: beside the writers of a job, or as a job of its own. The coordinator plans
 * and completes in a thread of the job manager, the operators fold file groups in threads of their
 * own; no row and no checkpoint ever waits for them. What to do and how is {@code
 * io.hudilite.core.compact}; here it is spread over a cluster.
 *
 * <pre>
 * commit ──► CompactionCoordinator ──task──► CompactionOperator (a thread of its own)
 *              CompactionCommitter ◄─result──
 * </pre>
 */
package io.hudilite.sink.compact;
