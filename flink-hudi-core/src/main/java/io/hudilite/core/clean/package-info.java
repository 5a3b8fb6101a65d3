/**
 * Cleaning: file slices that no query of the retained time needs are deleted. {@code
 * CleanRetention} is Hudi's arithmetic, {@code CleanPlanner} looks at the partitions that changed
 * since the last clean, {@code Cleaner} deletes. Never deleted is what the newest slices, a
 * savepoint, a pending compaction or clustering, or a reader with a lease still needs.
 */
package io.hudilite.core.clean;
