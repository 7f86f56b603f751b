package dev.rondo.host;

import java.util.SortedMap;

/**
 * One value of a Prometheus metric.
 *
 * @param labels values by name of the label
 */
record Sample(String metric, SortedMap<String, String> labels, double value) {}
