/**
 * Which files to read for a query. Planners look at a table and give {@code ScanSplit}s; {@code
 * SplitReader} turns a split into rows without looking at the table again. {@code
 * IncrementalPlanner} cuts the timeline into ranges of changes, {@code IndexScanner} reads keys
 * only.
 */
package io.hudilite.core.scan;
