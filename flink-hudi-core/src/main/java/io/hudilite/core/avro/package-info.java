/**
 * Rows as Avro binary, without generic records: {@link io.hudilite.core.avro.AvroRowEncoder} and
 * {@link io.hudilite.core.avro.AvroRowDecoder} are built once per schema and then only move bytes.
 * All numbers, strings and lengths go through {@link io.hudilite.core.avro.AvroBuffer} and {@link
 * io.hudilite.core.avro.AvroInput}, which know the encoding and check it. This is the hottest code
 * of the project: no maps, no reflection, no boxing on the way in.
 */
package io.hudilite.core.avro;
