/**
 * What can be done to a table beside writing and reading it, each as one {@link
 * io.hudilite.sink.maintenance.Operation} with a name, arguments and a result of rows. Procedures
 * of the catalog and the commands of {@code HudiMaintenance} only translate to and from it, so that
 * both do, refuse and tell the same. Work that is large runs as a Flink job; the rest in the
 * process that calls.
 */
package io.hudilite.sink.maintenance;
