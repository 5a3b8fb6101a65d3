/**
 * New files and new instants. {@link io.hudilite.core.write.TableCommit} begins, commits and rolls
 * back instants; {@link io.hudilite.core.write.WriteMarkers} remembers which files an instant may
 * have left. What becomes of an instant is decided once and for all by one file that only one of
 * several committers can create.
 */
package io.hudilite.core.write;
