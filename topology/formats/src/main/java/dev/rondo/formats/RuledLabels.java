package dev.rondo.formats;

import java.util.HashMap;
import java.util.Map;

/**
 * Applies name rules to labels. Caches new keys, so that no regular expression runs per point. Not
 * thread-safe.
 */
final class RuledLabels {
  /** Bounds the cache if a sender generates keys. */
  private static final int MAX_KEYS = 10_000;

  private static final int LONGEST_CACHED_KEY = 256;

  private final NameRules rules;
  private final Map<String, String> newKeys = new HashMap<>();
  private final Labels ruled = new Labels();
  private final Labels renamed = new Labels();

  RuledLabels(NameRules rules) {
    this.rules = rules;
  }

  /** Returns a copy without dropped labels and with new keys; valid until the next call. */
  Labels of(Labels labels) {
    ruled.clear().putAll(labels);
    if (rules.keepsLabels()) {
      return ruled;
    }
    renamed.clear();
    for (int n = ruled.size() - 1; n >= 0; n--) {
      String key = ruled.key(n);
      String newKey = newKey(key);
      if (!newKey.equals(key)) {
        if (!newKey.isEmpty()) {
          renamed.put(newKey, ruled.value(n));
        }
        ruled.removeAt(n);
      }
    }
    return ruled.putAll(renamed);
  }

  private String newKey(String key) {
    String known = newKeys.get(key);
    if (known == null) {
      if (newKeys.size() == MAX_KEYS) {
        newKeys.clear();
      }
      known = rules.newKey(key);
      if (key.length() <= LONGEST_CACHED_KEY) {
        newKeys.put(key, known);
      }
    }
    return known;
  }
}
