package dev.rondo.chaos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.rondo.chaos.fault.Fault;
import dev.rondo.chaos.fault.InjectedFault;
import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import java.util.ArrayList;
import java.util.List;

/** Prints an outcome as text or JSON. */
record Report(long seed, Outcome outcome) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ROW = "%-12s %6s %18s %16s";

  /** One JSON object. */
  ObjectNode json() {
    ObjectNode all = JSON.createObjectNode();
    all.put("scenario", outcome.scenario().label()).put("seed", seed);
    all.put("clean", outcome.isGood());
    ObjectNode parts = all.putObject("parts");
    for (Part part : outcome.restarts().keySet()) {
      parts
          .putObject(part.label())
          .put("faults", faults(part))
          .put("restarts", outcome.restarts().get(part))
          .put("worst_ready_seconds", worstReady(part));
    }
    var faults = all.putArray("faults");
    for (InjectedFault injected : outcome.faults()) {
      ObjectNode one = faults.addObject();
      one.put("kind", injected.fault().kind().label()).put("at_seconds", injected.atSeconds());
      one.put("seconds", injected.fault().lastsMs() / 1e3);
      ObjectNode ready = one.putObject("ready_seconds");
      injected.readySeconds().forEach((part, seconds) -> ready.put(part.label(), seconds));
      if (injected.metrics() != null) {
        one.set("metrics", json(injected.metrics()));
      }
    }
    all.put("drain_seconds", outcome.drainSeconds());
    all.putObject("load")
        .put("points", outcome.sent("points"))
        .put("acked", outcome.sent("acked"))
        .put("worst_lag_ms", outcome.worstLagSeconds() * 1e3);
    Freshness freshness = outcome.freshness();
    if (freshness != null) {
      all.putObject("freshness")
          .put("slots", freshness.slots())
          .put("median_seconds", freshness.medianSeconds())
          .put("p99_seconds", freshness.p99Seconds())
          .put("worst_seconds", freshness.worstSeconds())
          .put("worst_slot", freshness.worst().toString())
          .put("first_minute_seconds", freshness.firstMinuteSeconds());
    }
    if (outcome.shown() != null) {
      all.putObject("shown")
          .put("responses", outcome.shown().responses())
          .put("failed", outcome.shown().failed())
          .put("series", outcome.shown().series())
          .put("slots", outcome.shown().slots());
    }
    ObjectNode metrics = all.putObject("metrics");
    outcome.metrics().forEach((part, counted) -> metrics.set(part.label(), json(counted)));
    all.put("slots_too_far_ahead", outcome.tooFarAhead());
    all.set("verify", outcome.verify());
    var failures = all.putArray("failures");
    outcome.failures().forEach(failures::add);
    return all;
  }

  private static ObjectNode json(Metrics metrics) {
    return JSON.createObjectNode()
        .put("evicted", metrics.evicted())
        .put("buffered", metrics.buffered())
        .put("late", metrics.late());
  }

  /** Lines of text. */
  List<String> text() {
    var lines = new ArrayList<String>();
    lines.add(ROW.formatted("part", "faults", "worst s to ready", "ended by itself"));
    for (Part part : outcome.restarts().keySet()) {
      lines.add(
          ROW.formatted(
              part.label(),
              faults(part),
              faults(part) == 0 ? "-" : "%.1f".formatted(worstReady(part)),
              outcome.restarts().get(part) - restartsByFaults(part)));
    }
    lines.add(
        "%d points sent, %d acknowledged, worst lag %.1f s; drained %.1f s after the load"
            .formatted(
                outcome.sent("points"),
                outcome.sent("acked"),
                outcome.worstLagSeconds(),
                outcome.drainSeconds()));
    if (outcome.freshness() != null) {
      lines.add(outcome.freshness().text());
    }
    if (outcome.shown() != null) {
      lines.add(outcome.shown().text());
    }
    outcome
        .metrics()
        .forEach((part, counted) -> lines.add("%s: %s".formatted(part.label(), counted.text())));
    JsonNode verify = outcome.verify();
    JsonNode slots = verify.path("slots");
    lines.add(
        "%s, seed %d: %s: wrong %d, missing %d, extra %d, equal %d, open %d"
            .formatted(
                outcome.scenario().label(),
                seed,
                outcome.isGood() ? "no differences" : "DIFFERS",
                slots.path("wrong").asLong(),
                slots.path("missing").asLong(),
                slots.path("extra").asLong(),
                slots.path("equal").asLong(),
                slots.path("open").asLong()));
    lines.addAll(outcome.failures());
    if (outcome.tooFarAhead() > 0) {
      lines.add(outcome.tooFarAhead() + " slots counted as slot-too-far-ahead");
    }
    if (!verify.path("dropped").isEmpty()) {
      lines.add("dropped by the rules: " + verify.path("dropped"));
    }
    verify.path("others").properties().forEach(e -> lines.add(e.getValue() + " x " + e.getKey()));
    verify.path("examples").forEach(example -> lines.add(example.toString()));
    verify.path("notes").forEach(note -> lines.add(note.asText()));
    return lines;
  }

  private int faults(Part part) {
    return (int) outcome.faults().stream().filter(f -> f.fault().parts().contains(part)).count();
  }

  private int restartsByFaults(Part part) {
    return outcome.faults().stream()
        .map(InjectedFault::fault)
        .filter(fault -> fault.parts().contains(part))
        .mapToInt(Fault::restarts)
        .sum();
  }

  private double worstReady(Part part) {
    return outcome.faults().stream()
        .mapToDouble(injected -> injected.readySeconds().getOrDefault(part, 0.0))
        .max()
        .orElse(0);
  }
}
