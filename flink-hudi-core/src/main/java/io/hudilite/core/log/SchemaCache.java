package io.hudilite.core.log;

import java.util.HashMap;
import java.util.Map;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;

/**
 * Parsed schemas by their text: the blocks of a table have few different ones, and what is built
 * from a schema can then be kept by the object. Not safe for use by several threads.
 */
public final class SchemaCache {
  /** Tables whose schema changes more often than this are parsed more often. */
  private static final int MAX_SCHEMAS = 64;

  private final Map<String, Schema> schemas = new HashMap<>();

  /**
   * @throws RuntimeException of Avro's choice if the text is no schema
   */
  Schema parse(String text) {
    Schema known = schemas.get(text);
    if (known != null) {
      return known;
    }
    // Names and defaults were another engine's business; here only the shape counts.
    Schema schema =
        new Schema.Parser(NameValidator.NO_VALIDATION).setValidateDefaults(false).parse(text);
    if (schemas.size() >= MAX_SCHEMAS) {
      schemas.clear();
    }
    schemas.put(text, schema);
    return schema;
  }
}
