/**
 * Compaction of merge-on-read tables: the log files of a slice are folded into a new base file. A
 * {@code CompactionScheduler} decides when and what, and leaves a plan on the timeline; a {@code
 * CompactionExecution} takes a plan, a {@code Compactor} does one file group of it. Plans are
 * Hudi's, so that other engines may execute ours, and we theirs.
 *
 * <pre>
 * CompactionTrigger (due?) -> CompactionCandidates (which groups have log files?)
 *    -> CompactionPlanner (which of them?) -> k.compaction.requested
 * k.compaction.requested -> claim -> k.compaction.inflight -> base files -> k_c.commit
 * </pre>
 */
package io.hudilite.core.compact;
