package dev.rondo.host;

import java.util.SortedMap;

/**
 * One value of a metric, as Prometheus reads it.
 *
 * @param labels values by name of the label
 */
record Sample(String metric, SortedMap<String, String> labels, double value) {}
