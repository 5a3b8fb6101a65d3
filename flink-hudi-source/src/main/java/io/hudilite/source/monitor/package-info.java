/**
 * Finds what there is to read and decides who reads it when. {@code SplitMonitor} is the Flink
 * shell that looks at the table on an I/O thread; {@code SplitAssigner} holds the rules and knows
 * neither Flink nor the table. Everything here but the discovery runs on the coordinator thread.
 */
package io.hudilite.source.monitor;
