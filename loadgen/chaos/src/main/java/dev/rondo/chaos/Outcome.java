package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import dev.rondo.chaos.fault.InjectedFault;
import dev.rondo.chaos.fault.Scenario;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import java.util.List;
import java.util.Map;

/**
 * What came of a scenario.
 *
 * @param restarts of each part, for whatever reason
 * @param loads as {@code ./rondo loadgen --json} tells each
 * @param drainSeconds from the end of the load until every point was consolidated
 * @param metrics of each instance of the topology, in the end
 * @param verify as {@code ./rondo verify --json} tells it
 * @param failures what is wrong beside slots
 */
record Outcome(
    Scenario scenario,
    List<InjectedFault> faults,
    Map<Part, Integer> restarts,
    List<JsonNode> loads,
    double drainSeconds,
    Map<Part, Metrics> metrics,
    JsonNode verify,
    List<String> failures) {
  /** Whether nothing differs. */
  boolean isGood() {
    return verify.path("clean").asBoolean() && failures.isEmpty();
  }

  /** Sum of a number of all loads. */
  long sent(String name) {
    return loads.stream().mapToLong(load -> load.path(name).asLong()).sum();
  }

  double worstLagSeconds() {
    return loads.stream().mapToLong(load -> load.path("worst_lag_ms").asLong()).max().orElse(0)
        / 1e3;
  }
}
