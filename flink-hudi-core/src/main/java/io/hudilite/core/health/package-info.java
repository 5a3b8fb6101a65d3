/**
 * How a table is: whether its services keep up with its writers. {@link
 * io.hudilite.core.health.TableHealth} is computed from a timeline, sizes of slices and leases, and
 * from nothing else; {@link io.hudilite.core.health.SliceSizes} keeps the sizes from commit to
 * commit, so that nobody lists the table for it. Gauges and procedures show what is computed here.
 */
package io.hudilite.core.health;
