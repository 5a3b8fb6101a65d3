/**
 * The codec of base files: Parquet with Hudi's footer and bloom filter. {@link
 * io.hudilite.core.base.BaseFileWriter} takes rows of Flink and writes column chunks, {@link
 * io.hudilite.core.base.BaseFileReader} reads the wanted columns in batches and gives them as rows.
 * Pages, encodings and footers are parquet-hadoop's work, compression aircompressor's; neither
 * Hadoop's file systems nor native code take part.
 */
package io.hudilite.core.base;
