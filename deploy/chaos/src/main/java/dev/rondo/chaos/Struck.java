package dev.rondo.chaos;

import java.util.Map;

/**
 * A strike that was.
 *
 * @param atSeconds since the load began
 * @param readySeconds from the kill until each part answered again
 */
record Struck(Strike strike, double atSeconds, Map<Part, Double> readySeconds) {}
