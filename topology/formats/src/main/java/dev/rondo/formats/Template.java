package dev.rondo.formats;

import java.util.ArrayList;
import java.util.List;

/**
 * How a path is made of what a format tells of a series: {@code host.measurement.field.tags}, in
 * the words of Telegraf. {@code measurement} and {@code field} are those of the series, {@code
 * tags} the values of all labels that the template does not name, in the order of their keys; any
 * other word is a label's key and stands for its value, or for nothing where the series has none.
 * Dots in values are replaced by {@code _}.
 */
public final class Template {
  static final String MEASUREMENT = "measurement";
  static final String FIELD = "field";
  static final String TAGS = "tags";

  private final List<String> words;

  private Template(List<String> words) {
    this.words = List.copyOf(words);
  }

  /**
   * Compiles a template; a wrong one is a {@link IllegalArgumentException}.
   *
   * @param key where it stands, for the error text
   */
  public static Template parse(String text, String key) {
    List<String> words = new ArrayList<>();
    for (String word : text.split("\\.", -1)) {
      if (word.isEmpty() || !word.equals(TagText.key(word))) {
        throw new IllegalArgumentException(
            ("template '%s': '%s' is not measurement, field, tags or the key of a label; words are"
                    + " separated by dots (%s)")
                .formatted(text, word, key));
      }
      if (words.contains(word)) {
        throw new IllegalArgumentException(
            "template '%s': '%s' is there twice (%s)".formatted(text, word, key));
      }
      words.add(word);
    }
    return new Template(words);
  }

  /** Whether this is one of its words. */
  boolean names(String word) {
    return words.contains(word);
  }

  /**
   * Adds the nodes to those that are there, and takes away the labels that it has used.
   *
   * @param field may be empty
   */
  void append(StringBuilder path, String measurement, String field, Labels labels) {
    for (String word : words) {
      switch (word) {
        case MEASUREMENT -> PathText.append(path, measurement);
        case FIELD -> PathText.append(path, field);
        case TAGS -> appendOthers(path, labels);
        default -> appendLabel(path, labels.get(word));
      }
    }
    if (names(TAGS)) {
      labels.clear();
    } else {
      for (String word : words) {
        if (isNamed(word)) {
          labels.remove(word);
        }
      }
    }
  }

  private void appendOthers(StringBuilder path, Labels labels) {
    for (int n = 0; n < labels.size(); n++) {
      if (!isNamed(labels.key(n))) {
        PathText.appendNode(path, labels.value(n));
      }
    }
  }

  /** A label that is called as one of the three words is not what they mean. */
  private boolean isNamed(String key) {
    return switch (key) {
      case MEASUREMENT, FIELD, TAGS -> false;
      default -> words.contains(key);
    };
  }

  private static void appendLabel(StringBuilder path, String value) {
    if (value != null) {
      PathText.appendNode(path, value);
    }
  }
}
