package io.hudilite.oracle;

import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.LocalFileSystem;

/**
 * Local files without {@code .crc} files, which go stale when another writer changes a table. Those
 * that are there are still checked: without that check, parquet log blocks are misread.
 */
public final class PlainFiles extends LocalFileSystem {

  @Override
  public void initialize(URI name, Configuration conf) throws IOException {
    super.initialize(name, conf);
    setWriteChecksum(false);
  }
}
