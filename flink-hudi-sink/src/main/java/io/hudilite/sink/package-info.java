/**
 * The sink: a stream of rows becomes instants of a table, one per checkpoint with data. {@link
 * io.hudilite.sink.HudiSink} builds the pipeline and is the only entry. The packages below hold its
 * operators, and the commit protocol that knows no Flink.
 *
 * <pre>
 * rows -> row_to_record -> (by record key) bucket_assigner -> (by file group) stream_writer
 *                                                                reports |  ^ instants
 *                                                                        v  |
 *                                                                CommitCoordinator -> timeline
 * </pre>
 */
package io.hudilite.sink;
