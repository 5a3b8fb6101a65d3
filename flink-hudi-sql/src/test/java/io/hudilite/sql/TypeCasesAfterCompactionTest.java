package io.hudilite.sql;

import io.hudilite.core.storage.Storage;
import io.hudilite.core.testkit.Compactions;
import java.io.IOException;

/** The cases of {@link TypeCasesTest} on merge-on-read tables compacted before each query. */
class TypeCasesAfterCompactionTest extends TypeCasesTest {
  @Override
  void settle(Storage table) throws IOException {
    Compactions.compact(table);
  }
}
