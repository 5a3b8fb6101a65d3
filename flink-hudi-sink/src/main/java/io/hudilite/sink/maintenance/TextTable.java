package io.hudilite.sink.maintenance;

import java.util.ArrayList;
import java.util.List;

/** Rows for people. */
public final class TextTable {
  private TextTable() {}

  /** A line for the names of the columns, and one for each row. */
  public static String of(List<ResultColumn> columns, List<Object[]> rows) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(columns.stream().map(ResultColumn::name).toList());
    for (Object[] row : rows) {
      List<String> line = new ArrayList<>();
      for (Object value : row) {
        line.add(value == null ? "" : value.toString());
      }
      lines.add(line);
    }
    int[] widths = new int[columns.size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder padded = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        padded.append(line.get(i)).append(" ".repeat(widths[i] - line.get(i).length() + 2));
      }
      text.append(padded.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
