package io.hudilite.sink.assign;

/**
 * Tells of most keys that come for the first time that they do, by a bit for each of many hashes:
 * then there is no need to look them up. 8 MiB, which serve some ten million keys well. Not safe
 * for use by several threads.
 */
final class SeenHashes {
  private static final int BITS_LOG = 26;

  private final long[] bits = new long[1 << (BITS_LOG - 6)];

  /** Notes a hash; false if no key of it came before, true if perhaps one did. */
  boolean addOrMeet(int hash) {
    int bit = (hash * 0x9E3779B9) >>> (Integer.SIZE - BITS_LOG);
    long mask = 1L << bit;
    boolean isSet = (bits[bit >>> 6] & mask) != 0;
    bits[bit >>> 6] |= mask;
    return isSet;
  }
}
