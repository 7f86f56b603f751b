package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;

/** An outcome, for people and for programs. */
record Report(String scenario, long seed, Outcome outcome) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROW = "%-12s %6s %18s %16s";

  int exitCode() {
    return outcome.exitCode();
  }

  /** One object. */
  ObjectNode json() {
    ObjectNode all = JSON.createObjectNode().put("scenario", scenario).put("seed", seed);
    ObjectNode parts = all.putObject("parts");
    for (Part part : Part.values()) {
      parts
          .putObject(part.label())
          .put("kills", kills(part))
          .put("restarts", outcome.restarts().get(part))
          .put("worst_ready_seconds", worstReady(part));
    }
    var strikes = all.putArray("strikes");
    for (Struck struck : outcome.struck()) {
      ObjectNode one = strikes.addObject().put("at_seconds", struck.atSeconds());
      ObjectNode ready = one.putObject("ready_seconds");
      struck.readySeconds().forEach((part, seconds) -> ready.put(part.label(), seconds));
    }
    all.put("drain_seconds", outcome.drainSeconds());
    all.set("load", outcome.load());
    all.set("verify", outcome.verify());
    return all.put("dir", outcome.dir() == null ? null : outcome.dir().toString());
  }

  /** Lines. */
  String text() {
    var lines = new ArrayList<String>();
    lines.add(ROW.formatted("part", "kills", "worst s to ready", "ended by itself"));
    for (Part part : Part.values()) {
      lines.add(
          ROW.formatted(
              part.label(),
              kills(part),
              kills(part) == 0 ? "-" : "%.1f".formatted(worstReady(part)),
              outcome.restarts().get(part) - kills(part)));
    }
    JsonNode load = outcome.load();
    lines.add(
        "%d points sent, %d acknowledged, worst lag %.1f s; drained %.1f s after the load"
            .formatted(
                load.path("points").asLong(),
                load.path("acked").asLong(),
                load.path("worst_lag_ms").asLong() / 1e3,
                outcome.drainSeconds()));
    JsonNode verify = outcome.verify();
    JsonNode slots = verify.path("slots");
    lines.add(
        "%s, seed %d: %s: wrong %d, missing %d, extra %d, equal %d, open %d"
            .formatted(
                scenario,
                seed,
                exitCode() == 0 ? "as it should be" : "DIFFERS",
                slots.path("wrong").asLong(),
                slots.path("missing").asLong(),
                slots.path("extra").asLong(),
                slots.path("equal").asLong(),
                slots.path("open").asLong()));
    verify.path("others").properties().forEach(e -> lines.add(e.getValue() + " x " + e.getKey()));
    verify.path("examples").forEach(example -> lines.add(example.toString()));
    verify.path("notes").forEach(note -> lines.add(note.asText()));
    if (outcome.dir() != null) {
      lines.add("data and logs: " + outcome.dir());
    }
    return String.join(System.lineSeparator(), lines);
  }

  private int kills(Part part) {
    return (int) outcome.struck().stream().filter(s -> s.strike().parts().contains(part)).count();
  }

  private double worstReady(Part part) {
    return outcome.struck().stream()
        .mapToDouble(struck -> struck.readySeconds().getOrDefault(part, 0.0))
        .max()
        .orElse(0);
  }
}
