/**
 * Identity and age of a row: record key, partition path and ordering value, taken from a row by
 * {@link io.hudilite.core.key.KeyExtractor} and turned back into columns by {@link
 * io.hudilite.core.key.KeyParser}. The text forms are Hudi's, so that every engine finds the same
 * row under the same key. {@link io.hudilite.core.key.OrderingCodec} keeps ordering values as bytes
 * in state and in shuffles.
 */
package io.hudilite.core.key;
