package dev.rondo.formats;

import java.util.HashMap;
import java.util.Map;

/**
 * Labels after the rules for them. What becomes of a key is found out once and kept, so that no
 * regular expression runs for a point. Not safe to share between threads.
 */
final class RuledLabels {
  /** Senders that make up keys must not fill the memory. */
  private static final int MOST_KEYS = 10_000;

  private final NameRules rules;
  private final Map<String, String> verdicts = new HashMap<>();
  private final Labels ruled = new Labels();
  private final Labels renamed = new Labels();

  RuledLabels(NameRules rules) {
    this.rules = rules;
  }

  /** A copy without the dropped ones and with new keys; it is valid until the next call. */
  Labels of(Labels labels) {
    ruled.clear().putAll(labels);
    if (rules.leavesLabels()) {
      return ruled;
    }
    renamed.clear();
    for (int n = ruled.size() - 1; n >= 0; n--) {
      String key = ruled.key(n);
      String verdict = verdict(key);
      if (!verdict.equals(key)) {
        if (!verdict.isEmpty()) {
          renamed.put(verdict, ruled.value(n));
        }
        ruled.removeAt(n);
      }
    }
    return ruled.putAll(renamed);
  }

  private String verdict(String key) {
    String known = verdicts.get(key);
    if (known == null) {
      if (verdicts.size() == MOST_KEYS) {
        verdicts.clear();
      }
      known = rules.verdict(key);
      verdicts.put(key, known);
    }
    return known;
  }
}
