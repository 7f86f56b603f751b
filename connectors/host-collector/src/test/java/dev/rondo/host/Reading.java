package dev.rondo.host;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A record of the topic: the lines of one reading, with the same time. */
record Reading(String key, String text) {
  long epochSeconds() {
    return Long.parseLong(words(text.lines().findFirst().orElseThrow()).get(2));
  }

  /** Values by full name. */
  Map<String, Double> values() {
    var values = new LinkedHashMap<String, Double>();
    text.lines()
        .forEach(line -> values.put(words(line).get(0), Double.valueOf(words(line).get(1))));
    return values;
  }

  private static List<String> words(String line) {
    return List.of(line.split(" ", -1));
  }
}
