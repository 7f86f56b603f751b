package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.chaos.fault.InjectedFault;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import java.util.List;
import java.util.Map;

/**
 * Result of a scenario.
 *
 * @param restarts of each part, for any reason
 * @param loads output of {@code ./rondo loadgen --json} for each load
 * @param drainSeconds from the end of the load until every point was consolidated
 * @param freshness of the slots that ended during the load; null if policies changed
 * @param shown what {@code /render} showed meanwhile; null if it was not asked
 * @param metrics final counters of each instance of the topology
 * @param tooFarAhead slots that instances of the topology counted as too far ahead of their clock
 * @param verify output of {@code ./rondo verify --json}
 * @param failures problems other than wrong slots
 */
record Outcome(
    Scenario scenario,
    List<InjectedFault> faults,
    Map<Part, Integer> restarts,
    List<JsonNode> loads,
    double drainSeconds,
    Freshness freshness,
    Shown shown,
    Map<Part, Metrics> metrics,
    long tooFarAhead,
    JsonNode verify,
    List<String> failures) {
  private static final String MISSING = "missing";

  /** Whether no check failed. */
  boolean isGood() {
    return failures.isEmpty() && (verify.path("clean").asBoolean() || lacksOnlyCountedSlots());
  }

  private boolean lacksOnlyCountedSlots() {
    long missing = 0;
    for (JsonNode run : verify.path("runs")) {
      JsonNode differing = run.path("differing");
      if (differing.size() > 1 || (!differing.isEmpty() && !differing.has(MISSING))) {
        return false;
      }
      missing += differing.path(MISSING).asLong();
    }
    return verify.path("others").isEmpty() && missing > 0 && missing <= tooFarAhead;
  }

  /** Sum of a field over all loads. */
  long sent(String name) {
    return loads.stream().mapToLong(load -> load.path(name).asLong()).sum();
  }

  double worstLagSeconds() {
    return loads.stream().mapToLong(load -> load.path("worst_lag_ms").asLong()).max().orElse(0)
        / 1e3;
  }
}
