package io.hudilite.core.log;

/** How the rows of a log file's data blocks are stored; both kinds may stand in one file. */
public enum LogBlockFormat {
  /** Row after row in Avro: cheap to write, and what Hudi writes unless told otherwise. */
  AVRO,
  /** A Parquet file in each block: smaller, as its columns are encoded and compressed. */
  PARQUET,
  /** Parquet, but Avro for blocks so small that Parquet's own headers and footer would be most. */
  BY_SIZE
}
