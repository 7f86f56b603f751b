package dev.rondo.tools.policies;

import dev.rondo.schemas.Ident;
import dev.rondo.tools.size.SlotCost;
import dev.rondo.topology.policy.Policies;
import dev.rondo.topology.policy.Policy;
import dev.rondo.topology.policy.PolicyTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What a change of the policies does to the known series. */
final class PolicyEffects {
  private static final int MOST_NAMED = 3;
  private static final String NONE = "no policy";
  private static final String DROPPED = "dropped by ";

  private final Policies before;
  private final Policies next;
  private final PolicyTransition transition;
  private final Map<String, Move> moves = new TreeMap<>();
  private final Map<String, Long> storedBefore = new TreeMap<>();
  private final Map<String, Long> storedNext = new TreeMap<>();
  private long series;

  private static final class Move {
    private long count;
    private final List<String> named = new ArrayList<>();

    void add(String ident) {
      count++;
      if (named.size() < MOST_NAMED) {
        named.add(ident);
      }
    }
  }

  PolicyEffects(Policies before, Policies next) {
    this.before = before;
    this.next = next;
    this.transition = new PolicyTransition(before, next);
  }

  /**
   * Adds a known series.
   *
   * @param policy name of its policy
   */
  void add(String ident, String policy) {
    Ident parsed = Ident.parse(ident);
    Optional<Policy> target = transition.of(parsed, policy);
    Optional<Policy> dropping = next.of(parsed).filter(Policy::drops);
    String name =
        dropping.map(p -> DROPPED + p.name()).orElse(target.map(Policy::name).orElse(NONE));
    series++;
    if (!name.equals(policy)) {
      moves.computeIfAbsent(policy + " -> " + name, key -> new Move()).add(ident);
    }
    before.named(policy).ifPresent(p -> storedBefore.merge(p.name(), 1L, Long::sum));
    if (dropping.isEmpty()) {
      target.ifPresent(p -> storedNext.merge(p.name(), 1L, Long::sum));
    }
  }

  /** Lines for people. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    long moving = moves.values().stream().mapToLong(move -> move.count).sum();
    lines.add(format("%,d of %,d series get another policy", moving, series));
    moves.forEach(
        (key, move) ->
            lines.add(
                format(
                    "  %s: %,d, %s%s",
                    key,
                    move.count,
                    String.join(", ", move.named),
                    move.count > move.named.size() ? ", ..." : "")));
    if (moves.keySet().stream().anyMatch(key -> key.contains(DROPPED))) {
      lines.add(
          "  points of dropped series are not stored (policy-drops), unless their source names a"
              + " policy; what they have stays until they are retired, or deleted");
    }
    if (moves.keySet().stream().anyMatch(key -> key.endsWith(NONE))) {
      lines.add(
          "  points of series without a policy are dropped (no-policy); what they have stays");
    }
    SlotCost now = cost(before, storedBefore);
    SlotCost then = cost(next, storedNext);
    lines.add(
        format(
            "PostgreSQL, with full archives: %s -> %s, at least %,.0f -> %,.0f rows",
            size(now.bytes()), size(then.bytes()), now.rows(), then.rows()));
    lines.add(
        format(
            "values a second: %,.0f -> %,.0f; CPU of all parts to write them: %.3f -> %.3f cores",
            now.values(), then.values(), now.cores(), then.cores()));
    return lines;
  }

  /**
   * Returns what the slots of the series take.
   *
   * @param stored number of series by the name of their policy
   */
  private static SlotCost cost(Policies policies, Map<String, Long> stored) {
    SlotCost sum = SlotCost.NONE;
    for (Map.Entry<String, Long> entry : stored.entrySet()) {
      Policy policy = policies.named(entry.getKey()).orElseThrow();
      sum = sum.plus(SlotCost.of(entry.getValue(), policy.archives()));
    }
    return sum;
  }

  private static String size(double bytes) {
    return bytes < 1e9 ? format("%,.0f MB", bytes / 1e6) : format("%,.1f GB", bytes / 1e9);
  }

  private static String format(String text, Object... values) {
    return String.format(Locale.ROOT, text, values);
  }
}
