package io.hudilite.bench;

import java.util.Iterator;
import java.util.Map;

final class Json {
  static String of(Object o) {
    StringBuilder b = new StringBuilder();
    put(b, o);
    return b.toString();
  }

  private static void put(StringBuilder b, Object o) {
    if (o == null) {
      b.append("null");
    } else if (o instanceof Map) {
      b.append('{');
      for (Iterator<? extends Map.Entry<?, ?>> i = ((Map<?, ?>) o).entrySet().iterator();
          i.hasNext(); ) {
        Map.Entry<?, ?> e = i.next();
        put(b, e.getKey().toString());
        b.append(':');
        put(b, e.getValue());
        if (i.hasNext()) {
          b.append(',');
        }
      }
      b.append('}');
    } else if (o instanceof Iterable) {
      b.append('[');
      for (Iterator<?> i = ((Iterable<?>) o).iterator(); i.hasNext(); ) {
        put(b, i.next());
        if (i.hasNext()) {
          b.append(',');
        }
      }
      b.append(']');
    } else if (o instanceof Double) {
      double d = (Double) o;
      double f = Math.abs(d) < 0.1 ? 1e6 : 1e3;
      b.append(Double.isFinite(d) ? String.valueOf(Math.round(d * f) / f) : "null");
    } else if (o instanceof Number || o instanceof Boolean) {
      b.append(o);
    } else {
      b.append('"');
      for (char c : o.toString().toCharArray()) {
        if (c == '"' || c == '\\') {
          b.append('\\').append(c);
        } else if (c < 32) {
          b.append(String.format("\\u%04x", (int) c));
        } else {
          b.append(c);
        }
      }
      b.append('"');
    }
  }

  private Json() {}
}
