/**
 * The front door. {@code HudiTable} holds the config and the timeline of one table and opens all
 * else. It never changes: refreshing gives a new one.
 */
package io.hudilite.core.table;
