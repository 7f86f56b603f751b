package dev.rondo.formats.putval;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names of the data sources of a collectd type: a PUTVAL line has only their values. */
final class DataSources {
  private static final Map<String, List<String>> NAMES = read("data-sources.txt");

  private DataSources() {}

  private static Map<String, List<String>> read(String resource) {
    Map<String, List<String>> names = new HashMap<>();
    try (BufferedReader file =
        new BufferedReader(
            new InputStreamReader(
                DataSources.class.getResourceAsStream(resource), StandardCharsets.UTF_8))) {
      file.lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> List.of(line.split(" ")))
          .forEach(words -> names.put(words.get(0), words.subList(1, words.size())));
    } catch (IOException e) {
      throw new UncheckedIOException(resource, e);
    }
    return names;
  }

  /**
   * Returns the name of value {@code n}, from 0, of {@code count}: empty for a single value, the
   * number {@code n} for a type that collectd does not have.
   */
  static String name(String type, int n, int count) {
    if (count == 1) {
      return "";
    }
    List<String> names = NAMES.getOrDefault(type, List.of());
    return names.size() == count ? names.get(n) : Integer.toString(n);
  }
}
