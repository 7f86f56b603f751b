package dev.rondo.chaos.fault;

import dev.rondo.chaos.part.Metrics;
import dev.rondo.chaos.part.Part;
import java.util.Map;

/**
 * A fault that was.
 *
 * @param atSeconds since the scenario began
 * @param readySeconds from the fault until each part answered again
 * @param metrics of the first instance of the topology, after partitions have moved; else null
 */
public record InjectedFault(
    Fault fault, double atSeconds, Map<Part, Double> readySeconds, Metrics metrics) {}
