package dev.rondo.tools.policies;

import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.Spans;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The differences of two versions of the policies, one line each. */
final class PolicyDiff {
  private PolicyDiff() {}

  /** No line if the versions are the same. */
  static List<String> of(Policies before, Policies next) {
    List<String> lines = new ArrayList<>();
    for (Policy policy : before.inOrder()) {
      if (next.named(policy.name()).isEmpty()) {
        lines.add("- policy " + policy.name());
      }
    }
    for (Policy policy : next.inOrder()) {
      before
          .named(policy.name())
          .ifPresentOrElse(
              old -> addChanges(old, policy, lines),
              () -> lines.add("+ policy " + policy.name() + ": " + text(policy)));
    }
    if (!order(before, next).equals(order(next, before))) {
      lines.add("~ order: " + String.join(", ", order(next, next)));
    }
    return lines;
  }

  private static void addChanges(Policy before, Policy next, List<String> lines) {
    if (before.drops() != next.drops()) {
      lines.add(
          "~ policy %s: %s".formatted(next.name(), next.drops() ? "drops its series" : text(next)));
      return;
    }
    Map<String, String> old = keys(before);
    keys(next)
        .forEach(
            (key, value) -> {
              if (!value.equals(old.get(key))) {
                lines.add(
                    "~ policy %s: %s %s -> %s".formatted(next.name(), key, old.get(key), value));
              }
            });
  }

  private static String text(Policy policy) {
    return keys(policy).entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Map<String, String> keys(Policy policy) {
    var keys = new LinkedHashMap<String, String>();
    keys.put("match", policy.match().pattern());
    keys.put("tags", policy.tags().toString());
    if (policy.drops()) {
      keys.put("drop", "true");
      return keys;
    }
    keys.put("step", Spans.format(policy.stepMs()));
    keys.put("heartbeat", policy.isWhisper() ? "0" : Spans.format(policy.heartbeatMs()));
    keys.put("finest", policy.finest().key());
    keys.put("reorder", Spans.format(policy.reorderMs()));
    keys.put("expire.after", Spans.format(policy.expireAfterMs()));
    keys.put("max.series", Integer.toString(policy.maxSeries()));
    keys.put("emit.open", Boolean.toString(policy.emitsOpen()));
    keys.put("aggregate", policy.aggregate().key());
    keys.put("archives", ArchiveText.of(policy).toString());
    return keys;
  }

  /** Names of the policies that another version has too, in their order. */
  private static List<String> order(Policies policies, Policies other) {
    return policies.inOrder().stream()
        .map(Policy::name)
        .filter(name -> other.named(name).isPresent())
        .toList();
  }
}
