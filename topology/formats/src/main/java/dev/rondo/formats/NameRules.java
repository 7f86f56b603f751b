package dev.rondo.formats;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a user wants of the names of a source.
 *
 * @param template makes the path; empty = {@code measurement.field}
 * @param prefix nodes before the path; may be empty
 * @param dropped labels whose whole key is matched by one of these are left out
 * @param renamed new key by key; a label that has the new key already gives way
 */
public record NameRules(
    Optional<Template> template,
    String prefix,
    List<Pattern> dropped,
    Map<String, String> renamed) {
  /** Names as the format tells them. */
  public static final NameRules NONE = new NameRules(Optional.empty(), "", List.of(), Map.of());

  public NameRules {
    dropped = List.copyOf(dropped);
    renamed = Map.copyOf(renamed);
  }

  /** Whether names stay as the format tells them. */
  public boolean isNone() {
    return template.isEmpty() && prefix.isEmpty() && leavesLabels();
  }

  /** Whether all labels stay as they are. */
  boolean leavesLabels() {
    return dropped.isEmpty() && renamed.isEmpty();
  }

  /** What becomes of a label's key: itself, another one, or empty where it is dropped. */
  String verdict(String key) {
    for (Pattern pattern : dropped) {
      if (pattern.matcher(key).matches()) {
        return "";
      }
    }
    return renamed.getOrDefault(key, key);
  }
}
