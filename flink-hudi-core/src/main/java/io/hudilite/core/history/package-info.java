/**
 * The archived part of the timeline. {@code TimelineHistory} finds the completion times of instants
 * that have left the active timeline, and reads no more for it than the files that may hold them.
 * It stands behind {@code base}, as the history is kept in Parquet files.
 */
package io.hudilite.core.history;
