package dev.rondo.host;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus' text format, 0.0.4: {@code metric{label="value",…} value [time]} a line. Ignores
 * types and help texts: names distinguish counters and histograms.
 */
final class Exposition {
  private static final Pattern LINE =
      Pattern.compile(
          "(?<metric>[a-zA-Z_:][a-zA-Z0-9_:]*)[ \t]*(?:\\{(?<labels>.*)})?"
              + "[ \t]+(?<value>\\S+)(?:[ \t]+-?\\d+)?[ \t]*");
  private static final Pattern LABEL =
      Pattern.compile(
          "[ \t]*(?<name>[a-zA-Z_][a-zA-Z0-9_]*)[ \t]*="
              + "[ \t]*\"(?<value>(?:[^\"\\\\]++|\\\\.)*+)\"[ \t]*(?:,[ \t]*|$)");
  private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");
  private static final int SHOWN_CHARACTERS = 100;

  private Exposition() {}

  /**
   * Returns the samples of all wanted metrics, in their order.
   *
   * @throws IllegalArgumentException with the line that is not in the format
   */
  static List<Sample> parse(String text, Predicate<String> wanted) {
    var samples = new ArrayList<Sample>();
    int number = 0;
    for (String line : text.split("\n", -1)) {
      number++;
      if (line.isBlank() || line.startsWith("#")) {
        continue;
      }
      Matcher found = LINE.matcher(line);
      if (!found.matches()) {
        throw malformed(number, line);
      }
      if (wanted.test(found.group("metric"))) {
        try {
          samples.add(
              new Sample(
                  found.group("metric"),
                  labels(found.group("labels")),
                  number(found.group("value"))));
        } catch (IllegalArgumentException e) {
          throw malformed(number, line);
        }
      }
    }
    return samples;
  }

  private static SortedMap<String, String> labels(String text) {
    var labels = new TreeMap<String, String>();
    if (text == null) {
      return labels;
    }
    Matcher label = LABEL.matcher(text);
    int end = 0;
    while (end < text.length()) {
      label.region(end, text.length());
      if (!label.lookingAt()) {
        throw new IllegalArgumentException(text);
      }
      labels.put(label.group("name"), unescaped(label.group("value")));
      end = label.end();
    }
    return labels;
  }

  private static String unescaped(String text) {
    return ESCAPED
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(found.group(1).equals("n") ? "\n" : found.group(1)));
  }

  static double number(String text) {
    return switch (text) {
      case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
      case "-Inf" -> Double.NEGATIVE_INFINITY;
      default -> Double.parseDouble(text);
    };
  }

  private static IllegalArgumentException malformed(int number, String line) {
    return new IllegalArgumentException(
        "line %d is not in Prometheus' text format: %s"
            .formatted(number, line.substring(0, Math.min(line.length(), SHOWN_CHARACTERS))));
  }
}
