/**
 * Bytes: the files of one table behind the interface {@link io.hudilite.core.storage.Storage}. A
 * storage knows neither Hudi nor rows; it says exactly what is known after each failure. {@link
 * io.hudilite.core.storage.FlinkStorage} is the only class that touches Flink's file systems.
 */
package io.hudilite.core.storage;
