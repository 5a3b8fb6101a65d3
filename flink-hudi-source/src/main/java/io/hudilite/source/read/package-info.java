/**
 * Turns splits into rows. The fetcher thread reads batches of rows from one split after the other,
 * and the task thread emits and counts them. The count is the position that goes into state.
 */
package io.hudilite.source.read;
