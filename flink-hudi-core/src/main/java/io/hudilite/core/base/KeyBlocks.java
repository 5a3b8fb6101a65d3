package io.hudilite.core.base;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Puts many keys into one row of a {@link BloomFilter}. Each hash of a key is the seed of the next,
 * so that the hashes of one key wait for each other; those of many keys of one length are made side
 * by side, in loops that the virtual machine compiles to vector instructions. Not safe for use by
 * several threads.
 */
final class KeyBlocks {
  /** Longer keys are left to the filter. */
  static final int LONGEST = 96;

  private static final int LANES = 256;
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int M = 0x5bd1e995;

  private final byte[] row;
  private final int hashes;
  private final int bits;
  private final Block[] blocks = new Block[LONGEST + 1];
  private final int[] hash = new int[LANES];

  /**
   * @param row gets the bits
   * @param hashes of each key
   * @param bits of the row that are used
   */
  KeyBlocks(byte[] row, int hashes, int bits) {
    this.row = row;
    this.hashes = hashes;
    this.bits = bits;
  }

  /** Adds a key of at most {@link #LONGEST} bytes, now or with {@link #finish}. */
  void add(byte[] utf8, int offset, int length) {
    Block block = blocks[length];
    if (block == null) {
      block = new Block(length);
      blocks[length] = block;
    }
    block.add(utf8, offset);
    if (block.count == LANES) {
      write(block);
    }
  }

  /** Writes what is left. */
  void finish() {
    for (Block block : blocks) {
      if (block != null && block.count > 0) {
        write(block);
      }
    }
  }

  private void write(Block block) {
    int count = block.count;
    Arrays.fill(hash, 0, count, 0);
    for (int i = 0; i < hashes; i++) {
      block.hash(hash);
      setBits(count);
    }
    block.count = 0;
  }

  private void setBits(int count) {
    double part = 1.0 / bits; // to multiply is faster than to divide
    for (int i = 0; i < count; i++) {
      int bit = BloomFilter.bitOf(hash[i], bits, part);
      row[bit >>> 3] |= (byte) (1 << (bit & 7));
    }
  }

  /** Keys of one length, made ready as by {@link BloomFilter.Key}, word by word. */
  private static final class Block {
    private final int length;
    private final int[][] words;
    private final int[] tails;
    private int count;

    private Block(int length) {
      this.length = length;
      this.words = new int[length >>> 2][LANES];
      this.tails = new int[LANES];
    }

    private void add(byte[] data, int offset) {
      for (int i = 0; i < words.length; i++) {
        words[i][count] = BloomFilter.Key.wordOf((int) INT.get(data, offset + 4 * i));
      }
      tails[count++] = BloomFilter.Key.tailOf(data, offset + length, length & 3);
    }

    /** Replaces the hashes by those of which they are the seeds. */
    private void hash(int[] seeds) {
      begin(seeds, length, count);
      for (int[] word : words) {
        addWord(seeds, word, count);
      }
      if ((length & 3) != 0) {
        addTail(seeds, tails, count);
      }
      end(seeds, count);
    }

    private static void begin(int[] hash, int length, int count) {
      for (int i = 0; i < count; i++) {
        hash[i] ^= length;
      }
    }

    private static void addWord(int[] hash, int[] word, int count) {
      for (int i = 0; i < count; i++) {
        hash[i] = hash[i] * M ^ word[i];
      }
    }

    private static void addTail(int[] hash, int[] tail, int count) {
      for (int i = 0; i < count; i++) {
        hash[i] = (hash[i] ^ tail[i]) * M;
      }
    }

    private static void end(int[] hash, int count) {
      for (int i = 0; i < count; i++) {
        int mixed = (hash[i] ^ hash[i] >>> 13) * M;
        hash[i] = mixed ^ mixed >>> 15;
      }
    }
  }
}
