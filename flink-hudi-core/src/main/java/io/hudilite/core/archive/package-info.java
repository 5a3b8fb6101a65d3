/**
 * Archiving: old instants leave the active timeline for its history, so that looking at the
 * timeline costs the same for ever. {@code ArchivePlanner} says which ones nobody needs where they
 * are, {@code TimelineArchiver} moves them. Readers find them in {@code core.history}.
 */
package io.hudilite.core.archive;
