/**
 * From records to files. {@link io.hudilite.sink.write.WriteBuffer} keeps the newest version of
 * each key in bounded memory, by file group. {@link io.hudilite.sink.write.StreamWriter} flushes it
 * under the instant of the current checkpoint interval, and reports to the coordinator.
 */
package io.hudilite.sink.write;
