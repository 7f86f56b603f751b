package dev.rondo.formats;

import java.util.ArrayList;
import java.util.List;

/**
 * Builds a path from the parts of a series, like Telegraf's templates: {@code
 * host.measurement.field.tags}. {@code measurement} and {@code field} are those of the series;
 * {@code tags} stands for the values of all labels that the template does not name, in the order of
 * their keys. Any other word is the key of a label and stands for its value, or for nothing if the
 * series lacks it. Dots in values become {@code _}.
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
   * Parses a template; throws {@link IllegalArgumentException} if it is invalid.
   *
   * @param key setting that holds it, for the error text
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
            "template '%s': '%s' occurs twice (%s)".formatted(text, word, key));
      }
      words.add(word);
    }
    return new Template(words);
  }

  boolean names(String word) {
    return words.contains(word);
  }

  /**
   * Appends the nodes and removes the labels used for them.
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

  /** Whether the template names a label; the three reserved words do not name labels. */
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
