/**
 * What happened to a table, and when: the instants in {@code .hoodie/timeline}. {@link
 * io.hudilite.core.timeline.Timeline} is an immutable view of them; {@link
 * io.hudilite.core.timeline.TimelineStore} reads them, moves their state, and is the only one that
 * writes there. Codecs turn the content of instant files into values and back.
 *
 * <pre>
 * t.deltacommit.requested  ->  t.deltacommit.inflight  ->  t_c.deltacommit
 * (t: requested time; c: completion time, later than all that was on the timeline)
 * </pre>
 */
package io.hudilite.core.timeline;
