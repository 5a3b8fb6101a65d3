/**
 * Log files: a sequence of framed blocks, each with a header, that hold upserts, deletes or the
 * order to forget an instant. {@link io.hudilite.core.log.LogReader} gives the blocks of a file and
 * skips torn ones, {@link io.hudilite.core.log.LogWriter} writes them. Nothing here knows which
 * instants count or how versions of a row are merged.
 */
package io.hudilite.core.log;
