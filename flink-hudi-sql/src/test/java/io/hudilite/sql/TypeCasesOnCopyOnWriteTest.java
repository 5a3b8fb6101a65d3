package io.hudilite.sql;

/** The cases of {@link TypeCasesTest} on copy-on-write tables. */
class TypeCasesOnCopyOnWriteTest extends TypeCasesTest {
  @Override
  String tableType() {
    return "COPY_ON_WRITE";
  }
}
