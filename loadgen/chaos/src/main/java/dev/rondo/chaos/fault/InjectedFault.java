package dev.rondo.chaos.fault;

import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import java.util.Map;

/**
 * A fault that was injected.
 *
 * @param atSeconds time since the scenario started
 * @param readySeconds time from the fault until each part answered again
 * @param metrics of the first instance of the topology after a rebalance; else null
 */
public record InjectedFault(
    Fault fault, double atSeconds, Map<Part, Double> readySeconds, Metrics metrics) {}
