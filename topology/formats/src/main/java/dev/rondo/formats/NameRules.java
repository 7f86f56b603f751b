package dev.rondo.formats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Rules for the names of a source's series.
 *
 * @param template of the path; empty = {@code measurement.field}
 * @param prefix nodes before the path; may be empty
 * @param dropped patterns of keys; a label is dropped if its whole key matches one
 * @param renamed new key by key; replaces a label that already has the new key
 */
public record NameRules(
    Optional<Template> template,
    String prefix,
    List<Pattern> dropped,
    Map<String, String> renamed) {

  public static final NameRules NONE = new NameRules(Optional.empty(), "", List.of(), Map.of());

  public NameRules {
    dropped = List.copyOf(dropped);
    renamed = Map.copyOf(renamed);
  }

  public boolean isNone() {
    return template.isEmpty() && prefix.isEmpty() && keepsLabels();
  }

  /** Whether all labels stay unchanged. */
  boolean keepsLabels() {
    return dropped.isEmpty() && renamed.isEmpty();
  }

  /** Whether two series can get the same name. */
  public boolean mayMerge() {
    return template.isPresent() || !keepsLabels();
  }

  /** Returns the new key of a label, which may be the same; empty if the label is dropped. */
  String newKey(String key) {
    for (Pattern pattern : dropped) {
      if (pattern.matcher(key).matches()) {
        return "";
      }
    }
    return renamed.getOrDefault(key, key);
  }
}
