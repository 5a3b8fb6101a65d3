package io.hudilite.core.timeline;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileReader;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.file.SeekableByteArrayInput;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.IndexedRecord;

/**
 * The form of instant files in table version 8: an Avro object container file with one record.
 * Source: Hudi 1.0.2 CommitMetadataSerDeV2.
 */
final class AvroContainer {
  private static final byte[] MAGIC = {'O', 'b', 'j', 1};
  private static final int SYNC_BYTES = 16;

  private static final int KNOWN_SCHEMAS = 100;

  /** Of files that were read, of all engines and versions that write them: few. */
  private static final Map<Schema, Schema> KNOWN = new ConcurrentHashMap<>();

  private AvroContainer() {}

  /**
   * Takes one and the same object for equal schemas: Avro keeps for each object, as long as the
   * thread lives, how it is read.
   */
  private static final class Reader extends GenericDatumReader<GenericRecord> {
    @Override
    public void setSchema(Schema schema) {
      if (KNOWN.size() >= KNOWN_SCHEMAS) {
        KNOWN.clear();
      }
      Schema known = KNOWN.putIfAbsent(schema, schema);
      super.setSchema(known == null ? schema : known);
    }
  }

  static boolean isContainer(byte[] content) {
    return content.length >= MAGIC.length && Arrays.equals(content, 0, 4, MAGIC, 0, 4);
  }

  /** Equal records give equal bytes: the sync marker is taken from the schema, not from chance. */
  static byte[] encode(IndexedRecord record) {
    Schema schema = record.getSchema();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DataFileWriter<IndexedRecord> writer =
        new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
      writer.create(schema, out, syncMarker(schema));
      writer.append(record);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /**
   * Reads the record with the schema in the file.
   *
   * @param source name of the file, for messages
   */
  static GenericRecord decode(byte[] content, String source) throws CorruptInstantException {
    try (DataFileReader<GenericRecord> reader =
        new DataFileReader<>(new SeekableByteArrayInput(content), new Reader())) {
      if (!reader.hasNext()) {
        throw new CorruptInstantException(
            "%s: an Avro container of %d bytes without a record".formatted(source, content.length));
      }
      return reader.next();
    } catch (CorruptInstantException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      // On damaged bytes Avro throws whatever its code runs into, also NullPointerException.
      throw new CorruptInstantException(
          "%s: %d bytes are no Avro container file: %s"
              .formatted(source, content.length, e.getMessage()),
          e);
    }
  }

  /** Null if the writer's schema has no such field, or the value is null. */
  @Nullable
  static Object field(IndexedRecord record, String name) {
    Schema.Field field = record.getSchema().getField(name);
    return field == null ? null : record.get(field.pos());
  }

  static String text(IndexedRecord record, String name, String whenAbsent) {
    Object value = field(record, name);
    return value == null ? whenAbsent : value.toString();
  }

  static long number(IndexedRecord record, String name, long whenAbsent) {
    return field(record, name) instanceof Number value ? value.longValue() : whenAbsent;
  }

  static boolean flag(IndexedRecord record, String name) {
    return Boolean.TRUE.equals(field(record, name));
  }

  static List<String> texts(IndexedRecord record, String name) {
    return texts(field(record, name));
  }

  static List<String> texts(@Nullable Object array) {
    List<String> texts = new ArrayList<>();
    if (array instanceof Iterable<?> elements) {
      elements.forEach(element -> texts.add(String.valueOf(element)));
    }
    return texts;
  }

  static List<IndexedRecord> records(@Nullable Object array) {
    List<IndexedRecord> records = new ArrayList<>();
    if (array instanceof Iterable<?> elements) {
      elements.forEach(
          element -> {
            if (element instanceof IndexedRecord record) {
              records.add(record);
            }
          });
    }
    return records;
  }

  /** The entries of a map field that have a value, with text keys. */
  static Map<String, Object> map(IndexedRecord record, String name) {
    Map<String, Object> entries = new TreeMap<>();
    if (field(record, name) instanceof Map<?, ?> map) {
      map.forEach(
          (key, value) -> {
            if (value != null) {
              entries.put(key.toString(), value);
            }
          });
    }
    return entries;
  }

  private static byte[] syncMarker(Schema schema) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(schema.toString().getBytes(StandardCharsets.UTF_8));
      return Arrays.copyOf(digest, SYNC_BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
