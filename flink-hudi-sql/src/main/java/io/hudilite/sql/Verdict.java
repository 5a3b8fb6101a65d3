package io.hudilite.sql;

/** What hudi-lite does with an option of Hudi. */
enum Verdict {
  /** It has its effect. */
  USED,
  /** Any value is right already: what it asks for, or guards against, is always so here. */
  ALWAYS_SO,
  /** It has no effect here; a value that asks for one is answered by a warning. */
  NO_EFFECT,
  /** Not built yet, and harmless: results are the same without it; a warning says so. */
  NOT_YET,
  /** Not built yet, and results would differ: every value but the harmless ones is refused. */
  REFUSED
}
