package io.hudilite.core.avro;

import javax.annotation.Nullable;

/** Reads one value, in the class that Flink's rows hold for its type. */
@FunctionalInterface
interface ValueDecoder {
  @Nullable
  Object decode(AvroInput in) throws MalformedAvroException;
}
