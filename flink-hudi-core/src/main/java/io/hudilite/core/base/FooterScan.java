package io.hudilite.core.base;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Finds the value of a key in a footer of which only the begin is there. A footer is a struct in
 * Thrift's compact protocol, whose field 5 is a list of structs of a key (field 1) and a value
 * (field 2). What does not look like that is not found; the parser of footers tells what is wrong
 * with it. Source: parquet.thrift, Thrift's compact protocol specification.
 */
final class FooterScan {
  private static final int KEY_VALUES = 5;
  private static final int KEY = 1;
  private static final int VALUE = 2;

  private static final int TRUE = 1;
  private static final int FALSE = 2;
  private static final int BYTE = 3;
  private static final int I16 = 4;
  private static final int I32 = 5;
  private static final int I64 = 6;
  private static final int DOUBLE = 7;
  private static final int BINARY = 8;
  private static final int LIST = 9;
  private static final int SET = 10;
  private static final int STRUCT = 12;

  /** Footers nest much less. */
  private static final int MAX_DEPTH = 16;

  private static final int MAX_VARINT_BYTES = 10;

  private final ByteBuffer bytes;
  private final int start;

  /** Of the field that was begun last. */
  private int type;

  private FooterScan(ByteBuffer bytes) {
    this.bytes = bytes;
    this.start = bytes.position();
  }

  /**
   * Where a value is: its length, as a varint, at {@code lengthAt}, and behind it {@code length}
   * bytes from {@code position} on.
   */
  record Place(int lengthAt, long position, int length) {
    long end() {
      return position + length;
    }

    /** The same counted from the begin of the file. */
    Place at(long footerStart) {
      return new Place(lengthAt, footerStart + position, length);
    }
  }

  /**
   * Looks for the value of a key.
   *
   * @param head the first bytes of the footer
   * @param footerLength bytes of the whole footer
   * @return places counted from the begin of the footer; the value ends within it
   */
  static Optional<Place> findValue(ByteBuffer head, long footerLength, String key) {
    try {
      return new FooterScan(head).find(footerLength, key);
    } catch (BufferUnderflowException e) {
      return Optional.empty(); // the key comes later, if at all
    }
  }

  private Optional<Place> find(long footerLength, String wanted) {
    for (int field = nextField(0); field > 0; field = nextField(field)) {
      if (field != KEY_VALUES || type != LIST) {
        skip(type, 0);
        continue;
      }
      byte[] utf8 = wanted.getBytes(StandardCharsets.UTF_8);
      int header = bytes.get() & 0xFF;
      long count = header >> 4 == 15 ? varint() : header >> 4;
      for (long i = 0; i < count && (header & 15) == STRUCT; i++) {
        Optional<Place> found = findInPair(footerLength, utf8);
        if (found.isPresent()) {
          return found;
        }
      }
      return Optional.empty();
    }
    return Optional.empty();
  }

  private Optional<Place> findInPair(long footerLength, byte[] wanted) {
    boolean isWanted = false;
    for (int field = nextField(0); field > 0; field = nextField(field)) {
      if (type != BINARY) {
        skip(type, 0);
        continue;
      }
      int lengthAt = bytes.position() - start;
      long length = varint();
      long position = (long) bytes.position() - start;
      if (field == VALUE && isWanted) {
        return length >= 0 && length <= footerLength - position && length <= Integer.MAX_VALUE
            ? Optional.of(new Place(lengthAt, position, (int) length))
            : Optional.empty();
      }
      int from = bytes.position();
      pass(length);
      isWanted =
          field == KEY && ByteBuffer.wrap(wanted).equals(bytes.duplicate().flip().position(from));
    }
    return Optional.empty();
  }

  /** The id of the next field of a struct, whose {@link #type} is set; 0 at the end. */
  private int nextField(int before) {
    int header = bytes.get() & 0xFF;
    type = header & 15;
    if (type == 0) {
      return 0;
    }
    int delta = header >> 4;
    return delta > 0 ? before + delta : zigzag(varint());
  }

  private static int zigzag(long value) {
    return (int) (value >>> 1 ^ -(value & 1));
  }

  private void skip(int skipped, int depth) {
    if (depth > MAX_DEPTH) {
      throw new BufferUnderflowException();
    }
    switch (skipped) {
      case TRUE, FALSE -> {}
      case BYTE -> pass(1);
      case I16, I32, I64 -> varint();
      case DOUBLE -> pass(Double.BYTES);
      case BINARY -> pass(varint());
      case LIST, SET -> {
        int header = bytes.get() & 0xFF;
        long count = header >> 4 == 15 ? varint() : header >> 4;
        for (long i = 0; i < count; i++) {
          skipElement(header & 15, depth + 1);
        }
      }
      case STRUCT -> {
        for (int field = nextField(0); field != 0; field = nextField(field)) {
          skip(type, depth + 1);
        }
      }
      default -> throw new BufferUnderflowException(); // maps, which footers do not have
    }
  }

  /** In lists also booleans take a byte. */
  private void skipElement(int skipped, int depth) {
    if (skipped == TRUE || skipped == FALSE) {
      pass(1);
    } else {
      skip(skipped, depth);
    }
  }

  private void pass(long count) {
    if (count < 0 || count > bytes.remaining()) {
      throw new BufferUnderflowException();
    }
    bytes.position(bytes.position() + (int) count);
  }

  private long varint() {
    long value = 0;
    for (int i = 0; i < MAX_VARINT_BYTES; i++) {
      byte next = bytes.get();
      value |= (long) (next & 0x7F) << (7 * i);
      if (next >= 0) {
        return value;
      }
    }
    throw new BufferUnderflowException();
  }
}
