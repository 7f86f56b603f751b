package dev.rondo.schemas;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A file of golden values from the class path: lines that start with {@code #} are comments, the
 * first other line names the columns, cells have neither quotes nor commas.
 */
final class GoldenCsv {
  private GoldenCsv() {}

  /** Rows of {@code dev/rondo/schemas/golden/<name>}, each by column name, in the file's order. */
  static List<Map<String, String>> rows(String name) {
    List<String> lines = lines(name).filter(line -> !line.startsWith("#")).toList();
    String[] columns = lines.get(0).split(",", -1);
    return lines.stream().skip(1).map(line -> row(name, columns, line)).toList();
  }

  private static Map<String, String> row(String name, String[] columns, String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != columns.length) {
      throw new IllegalArgumentException(
          name + ": " + cells.length + " cells for " + columns.length + " columns: " + line);
    }
    var row = new LinkedHashMap<String, String>();
    for (int k = 0; k < columns.length; k++) {
      row.put(columns[k], cells[k]);
    }
    return row;
  }

  private static Stream<String> lines(String name) {
    try (InputStream file = GoldenCsv.class.getResourceAsStream("golden/" + name);
        var reader = new BufferedReader(new InputStreamReader(file, StandardCharsets.UTF_8))) {
      return reader.lines().toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
