package io.hudilite.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** systems/NAME.sql: SQL statements in sections, and directives in comments (see README.md). */
final class Template {
  final Map<String, List<String>> sections = new LinkedHashMap<>();
  final Map<String, String> conf = new LinkedHashMap<>();
  final Map<String, String> hints = new LinkedHashMap<>();
  final Set<String> unsupported = new HashSet<>();
  String commitDir = "";
  String commitRegex = "";

  static Template read(Path file) throws IOException {
    Template t = new Template();
    List<String> cur = t.sections.computeIfAbsent("setup", k -> new ArrayList<>());
    StringBuilder sb = new StringBuilder();
    for (String line : Files.readAllLines(file)) {
      String s = line.trim();
      if (s.startsWith("-- @")) {
        String[] p = s.substring(4).split("\\s+", 2);
        String arg = p.length > 1 ? p[1].trim() : "";
        switch (p[0]) {
          case "section":
            cur = t.sections.computeIfAbsent(arg, k -> new ArrayList<>());
            break;
          case "conf":
            t.conf.put(
                arg.substring(0, arg.indexOf('=')).trim(),
                arg.substring(arg.indexOf('=') + 1).trim());
            break;
          case "hint":
            {
              int i = arg.indexOf("/*+");
              t.hints.put(arg.substring(0, i).trim(), arg.substring(i));
              break;
            }
          case "commit-dir":
            t.commitDir = arg;
            break;
          case "commit-regex":
            t.commitRegex = arg;
            break;
          case "unsupported":
            t.unsupported.addAll(List.of(arg.split("\\s+")));
            break;
          case "main":
            cur.add("@main " + arg);
            break;
          case "flink": // read by the script
            break;
          default:
            throw new IOException("unknown directive: " + s);
        }
        continue;
      }
      if (s.isEmpty() || s.startsWith("--")) {
        continue;
      }
      sb.append(line).append('\n');
      if (s.endsWith(";")) {
        String st = sb.toString().trim();
        cur.add(st.substring(0, st.length() - 1));
        sb.setLength(0);
      }
    }
    if (sb.length() > 0) {
      throw new IOException("unterminated statement in " + file + ": " + sb);
    }
    return t;
  }

  String hint(String kind, String table) {
    String h = hints.get(kind + " " + table);
    return h == null ? hints.getOrDefault(kind, "") : h;
  }
}
