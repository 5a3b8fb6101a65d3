/**
 * Rows on their way through the sink. {@link io.hudilite.sink.record.RowDataToRecord} turns each
 * row once into a {@link io.hudilite.sink.record.HudiRecord}, one array of bytes that goes as it is
 * through both shuffles into the files. The serializers here are our own and small.
 */
package io.hudilite.sink.record;
