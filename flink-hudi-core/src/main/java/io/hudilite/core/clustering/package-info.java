/**
 * Clustering: the rows of some file groups are written anew into others, so that small files become
 * large ones and rows that are asked for together lie together. A {@code ClusteringScheduler}
 * leaves a plan on the timeline; a {@code ClusteringExecution} takes a plan, a {@code Clusterer}
 * does one group of it. Plans are Hudi's, so that other engines may execute ours, and we theirs.
 *
 * <pre>
 * ClusteringTrigger (due?) -> PartitionFilter -> ClusteringPlanner -> k.clustering.requested
 * k.clustering.requested -> claim -> k.clustering.inflight -> new base files
 *    -> closing (writers and the execution agree on who touches which group) -> k_c.replacecommit
 * </pre>
 *
 * <p>Writers have the right of way: a group of the plan that got a commit since is left out when
 * the others complete, and so nothing is lost. See {@code ReplacedGroupGuard} for the other side.
 */
package io.hudilite.core.clustering;
