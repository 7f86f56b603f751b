package dev.rondo.formats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules for the names of a source's series.
 *
 * @param template makes the path; empty = {@code measurement.field}
 * @param prefix nodes before the path; may be empty
 * @param dropped labels whose whole key matches one of these are dropped
 * @param renamed new key by key; replaces a label that already has the new key
 */
public record NameRules(
    Optional<Template> template,
    String prefix,
    List<Pattern> dropped,
    Map<String, String> renamed) {
  /** No rules: names as in the format. */
  public static final NameRules NONE = new NameRules(Optional.empty(), "", List.of(), Map.of());

  public NameRules {
    dropped = List.copyOf(dropped);
    renamed = Map.copyOf(renamed);
  }

  /** Whether there are no rules. */
  public boolean isNone() {
    return template.isEmpty() && prefix.isEmpty() && keepsLabels();
  }

  /** Whether all labels stay unchanged. */
  boolean keepsLabels() {
    return dropped.isEmpty() && renamed.isEmpty();
  }

  /** Whether they may give two series one name. */
  public boolean mayMerge() {
    return template.isPresent() || !keepsLabels();
  }

  /** The new key of a label: the same, another one, or empty if the label is dropped. */
  String newKey(String key) {
    for (Pattern pattern : dropped) {
      if (pattern.matcher(key).matches()) {
        return "";
      }
    }
    return renamed.getOrDefault(key, key);
  }
}
