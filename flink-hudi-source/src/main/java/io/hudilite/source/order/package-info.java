/**
 * What stands behind the readers of a staged read. Rows of different readers arrive in any order;
 * here each key is put in order again, and the event time of the whole read is told to those
 * behind. The hidden time by which this is done is that of {@code Ticks}.
 */
package io.hudilite.source.order;
